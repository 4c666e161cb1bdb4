import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import {
  ClaimList,
  ImportedPeople,
  NewClaim,
  NewPersonLink,
  PersonKey,
  PersonLink,
} from '../../../shared/imported-people.ts';
import { limits } from '../../../shared/limits.ts';
import { Id } from '../../../shared/schema.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import type { App } from '../../http/app-type.ts';
import { requireHost } from '../../http/site-origin.ts';
import type { Config } from '../../system/settings/config.ts';
import { claimWords, returnWords } from './claim-words.ts';
import { listClaims, listImportedPeople } from './list-people.ts';
import { makePersonLink } from './make-link.ts';

interface ClaimServices {
  db: Database;
  withTransaction: WithTransaction;
  config: Pick<Config, 'publicUrl'>;
  now: () => number;
}

export function claimRoutes(app: App, services: ClaimServices): void {
  const { db, config, now } = services;
  const none = { 204: Type.Null(), '4xx': Problem };

  app.get(
    apiRoutes.importedPeople(':id'),
    {
      schema: {
        tags: ['moderation'],
        summary: 'Quienes escribieron en un chat que se trajo',
        description:
          'Sin quienes ya retiraron sus mensajes ni aquellos cuyos mensajes ya son de una cuenta para siempre.',
        params: Type.Object({ id: Id() }),
        querystring: Type.Object({ after: Type.Optional(Id()) }),
        response: { 200: ImportedPeople, '4xx': Problem },
      },
    },
    (request) => listImportedPeople(db, request.params.id, request.query.after),
  );

  app.post(
    apiRoutes.importedPersonLink(':id', ':person'),
    {
      schema: {
        tags: ['moderation'],
        summary:
          'Dar a quien escribió en un chat un enlace para recuperar sus mensajes, o retirarlos',
        description: `El enlace solo se dice aquí, y el anterior deja de valer. El que recupera es una invitación para una persona y ${limits.longestInvitationDays} días.`,
        params: PersonKey,
        body: NewPersonLink,
        response: { 201: PersonLink, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { id: channelId, person: personId } = request.params;
      const { kind } = request.body;
      const staffId = callerOf(request).id;
      const path = await makePersonLink(services, staffId, { channelId, personId }, kind);
      const origin = config.publicUrl ?? `${request.protocol}://${requireHost(request)}`;
      return reply.code(201).send({ url: origin + path });
    },
  );

  app.delete(
    apiRoutes.importedPersonClaim(':id', ':person'),
    {
      schema: {
        tags: ['moderation'],
        summary: `Devolver a quien escribió en un chat los mensajes que una cuenta recuperó, durante ${limits.trashDays} días`,
        params: PersonKey,
        response: none,
      },
    },
    async (request, reply) => {
      await returnWords(services, callerOf(request).id, request.params.person);
      return reply.code(204).send(null);
    },
  );

  app.get(
    apiRoutes.claims,
    {
      schema: {
        tags: ['accounts'],
        summary: 'Los mensajes de un chat que recuperé y aún puedo devolver',
        response: { 200: ClaimList, '4xx': Problem },
      },
    },
    async (request) => ({ data: await listClaims(db, callerOf(request).id, now()) }),
  );

  app.post(
    apiRoutes.claims,
    {
      schema: {
        tags: ['accounts'],
        summary: 'Recuperar lo que escribí en un chat que se trajo, con el código de un enlace',
        description: 'Pasan a la cuenta en menos de un minuto. Lo oculto sigue oculto.',
        body: NewClaim,
        response: none,
      },
    },
    async (request, reply) => {
      const [code = ''] = request.body.invitation.split('/', 1);
      await claimWords(services, callerOf(request).id, code);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    apiRoutes.claim(':id'),
    {
      schema: {
        tags: ['accounts'],
        summary: 'Devolver los mensajes que recuperé por error',
        params: Type.Object({ id: Id() }),
        response: none,
      },
    },
    async (request, reply) => {
      const { id } = callerOf(request);
      await returnWords(services, 'owner', request.params.id, id);
      return reply.code(204).send(null);
    },
  );
}
