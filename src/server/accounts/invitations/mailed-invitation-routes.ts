import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { visibleName } from '../../../shared/clean-text.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import {
  Invitees,
  MailedInvitationPage,
  MailedInvitations,
} from '../../../shared/mailed-invitations.ts';
import { isPlainAddress } from '../../../shared/plain-address.ts';
import { Id } from '../../../shared/schema.ts';
import type { App } from '../../http/app-type.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { callerOf } from '../sessions/session-guard.ts';
import {
  inviteByMail,
  listMailedInvitations,
  type MailedInvitationServices,
  repeatMailedInvitation,
} from './mailed-invitations.ts';

const tags = ['moderation'];

/** Routes with which moderators invite people by mail, and see who has come. */
export function mailedInvitationRoutes(app: App, services: MailedInvitationServices): void {
  app.get(
    apiRoutes.mailedInvitations,
    {
      schema: {
        tags,
        summary: `Las invitaciones por correo de los últimos ${limits.longestInvitationDays} días, las últimas primero`,
        querystring: Type.Object({ after: Type.Optional(Id()) }),
        response: { 200: MailedInvitationPage, '4xx': Problem },
      },
    },
    (request) => listMailedInvitations(services, request.query.after),
  );

  app.post(
    apiRoutes.mailedInvitations,
    {
      schema: {
        tags,
        summary: 'Invitar por correo a cada una de estas personas',
        description: `Como mucho ${limits.invitedAtOnce} de una vez. A quien ya es miembro, o ya tiene una invitación, no se le envía nada.`,
        body: Invitees,
        response: { 200: MailedInvitations, '4xx': Problem },
      },
    },
    async (request) => {
      const fields = new FieldParser();
      const invitees = request.body.invitees.map(({ email, name = '' }, index) => {
        const field = `invitees.${index}.email`;
        const address = fields.email(field, email);
        if (address && !isPlainAddress(address))
          fields.reject(field, 'No es una dirección a la que se pueda enviar correo.');
        const raw = visibleName(name);
        return {
          email: address,
          name: fields.optionalText(`invitees.${index}.name`, raw, limits.userNameChars),
        };
      });
      fields.done();
      return { data: await inviteByMail(services, callerOf(request).id, invitees) };
    },
  );

  app.post(
    apiRoutes.mailedInvitationAgain(':id'),
    {
      schema: {
        tags,
        summary: 'Enviar una invitación otra vez, una sola, pasados tres días',
        params: Type.Object({ id: Id() }),
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await repeatMailedInvitation(services, callerOf(request).id, request.params.id);
      return reply.code(204).send(null);
    },
  );
}
