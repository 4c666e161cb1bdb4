import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { Id } from '../../../shared/schema.ts';
import {
  InvitationCode,
  InvitationList,
  InvitedBy,
  MadeInvitation,
  NewInvitation,
} from '../../../shared/site-settings.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import type { App } from '../../http/app-type.ts';
import { requireHost } from '../../http/site-origin.ts';
import type { Config } from '../../system/settings/config.ts';
import { callerOf } from '../sessions/session-guard.ts';
import { findInviter } from './find-inviter.ts';
import { invite, listInvitations, revokeInvitation } from './invitations.ts';

const tags = ['accounts'];

interface InvitationServices {
  db: Database;
  now: () => number;
  withTransaction: WithTransaction;
  config: Pick<Config, 'publicUrl'>;
}

export function invitationRoutes(app: App, services: InvitationServices): void {
  const { db, config, now } = services;
  app.post(
    apiRoutes.invitedBy,
    {
      schema: {
        tags,
        summary: 'Quién invita con un código, y a qué página lleva su enlace',
        description:
          'Todo código que no vale, sea cual sea el motivo, recibe la misma respuesta: 403 `invitation_required`.',
        body: InvitationCode,
        response: { 200: InvitedBy, '4xx': Problem },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store');
      return findInviter(db, request.body.invitation, now());
    },
  );

  app.get(
    apiRoutes.invitations,
    {
      schema: {
        tags,
        summary: 'Mis invitaciones, las últimas primero',
        response: { 200: InvitationList, '4xx': Problem },
      },
    },
    async (request) => ({ data: await listInvitations(db, callerOf(request).id) }),
  );

  app.post(
    apiRoutes.invitations,
    {
      schema: {
        tags,
        summary: 'Invitar: un enlace que sirve para unas personas durante unos días',
        description: `El enlace solo se dice aquí, una vez. Cada cuenta puede hacer ${limits.invitationsPerDay} al día; retirar una no da derecho a otra.`,
        body: NewInvitation,
        response: { 201: MadeInvitation, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { invitation, code } = await invite(services, callerOf(request).id, request.body);
      const origin = config.publicUrl ?? `${request.protocol}://${requireHost(request)}`;
      const url = `${origin}${pageRoutes.register}#${code}`;
      return reply.code(201).send({ ...invitation, url });
    },
  );

  app.delete(
    apiRoutes.invitation(':id'),
    {
      schema: {
        tags,
        summary: 'Retirar una invitación',
        params: Type.Object({ id: Id() }),
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await revokeInvitation(services, callerOf(request).id, request.params.id);
      return reply.code(204).send(null);
    },
  );
}
