import Type from 'typebox';
import { SessionList } from '../../../shared/account-settings.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { audited } from '../../database/audit-log.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import type { Config } from '../../system/settings/config.ts';
import { lockSignedIn } from '../standing/open-account.ts';
import { sessionOf } from './session-guard.ts';
import { endListed, readSessions } from './session-list.ts';
import { endSession, endSessions } from './sessions.ts';
import { readerCookie } from './site-cookies.ts';

const tags = ['accounts'];

/** Routes to sign out, and to list and end the caller's sessions. */
export function sessionRoutes(
  app: App,
  services: {
    db: Database;
    withTransaction: WithTransaction;
    config: Pick<Config, 'publicUrl'>;
    now: () => number;
  },
): void {
  const { db, withTransaction, config, now } = services;

  app.post(
    apiRoutes.signOut,
    {
      schema: {
        tags,
        summary: 'Cerrar sesión: el token deja de servir y el navegador deja de mantenerla',
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const accountId = session.user.id;
      await withTransaction(`account ${accountId}`, async (trx, announce) => {
        await endSession(trx, session);
        await announce({ kind: 'access', accountId });
      });
      readerCookie(request, config.publicUrl)?.clear(reply);
      return reply.code(204).send(null);
    },
  );

  app.get(
    apiRoutes.sessions,
    {
      schema: {
        tags,
        summary: 'Las sesiones abiertas de la propia cuenta',
        response: { 200: SessionList, '4xx': Problem },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      return { data: await readSessions(db, session.user.id, now(), session) };
    },
  );

  app.delete(
    apiRoutes.sessions,
    {
      schema: {
        tags,
        summary: 'Cerrar todas las sesiones menos esta',
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const subject = session.user.id;
      await audited(services, 'owner', `account ${subject}`, async (trx, changed, announce) => {
        await lockSignedIn(trx, session);
        const ended = await endSessions(trx, subject, session);
        if (ended === 0) return;
        await announce({ kind: 'access', accountId: subject });
        changed('end-other-sessions', subject);
      });
      return reply.code(204).send(null);
    },
  );

  app.delete(
    apiRoutes.session(':id'),
    {
      schema: {
        tags,
        summary: 'Cerrar una sesión de la lista, con todas las pestañas de ese navegador',
        params: Type.Object({ id: Type.String() }),
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const subject = session.user.id;
      await audited(services, 'owner', `account ${subject}`, async (trx, changed, announce) => {
        await lockSignedIn(trx, session);
        const hasEnded = await endListed(trx, subject, request.params.id);
        if (!hasEnded) throw new ApiError('session_not_found');
        await announce({ kind: 'access', accountId: subject });
        changed('end-session', subject);
      });
      return reply.code(204).send(null);
    },
  );
}
