import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import { News, ReadingPositions } from '../../shared/people.ts';
import { callerOf, sessionOf } from '../accounts/sessions/session-guard.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { countPending } from '../moderation/pending-cases.ts';
import { countOpen } from '../moderation/queue-queries.ts';
import { findReads, raiseReadingPositions } from './reading-positions.ts';

const tags = ['people'];

/** Open cases and held items are each counted up to this. */
const mostPending = 100;
/** Routes for what is new to the caller: unread comments since the reading positions. */
export function newsRoutes(
  app: App,
  services: { db: Database; transact: Transact; now: () => number },
): void {
  const { db } = services;

  app.get(
    apiRoutes.news,
    {
      schema: {
        tags,
        summary: 'Lo nuevo en los canales que la propia cuenta ha visitado',
        querystring: Type.Object({
          channels: Type.Optional(
            Type.String({
              maxLength: limits.readsPerRequest * 40,
              description: `Hasta ${limits.readsPerRequest} ids de canales, separados por comas.`,
            }),
          ),
        }),
        response: { 200: News, '4xx': Problem },
      },
    },
    async (request): Promise<News> => {
      const ids = [...new Set(request.query.channels?.split(','))];
      if (ids.length > limits.readsPerRequest) throw new ApiError('invalid_request');
      const { role, user } = sessionOf(request);
      return {
        role,
        unreadNotices: 0,
        pendingModeration:
          role === 'member'
            ? 0
            : (await countOpen(db, user.id, mostPending)) +
              (await countPending(db, user.id, mostPending)),
        reads: await findReads(db, user.id, ids),
      };
    },
  );

  app.put(
    apiRoutes.reads,
    {
      schema: {
        tags,
        summary: 'Indicar hasta qué comentario se ha leído en cada canal',
        description:
          'Un número menor que el guardado no cambia nada; uno mayor que el del último comentario ' +
          'cuenta como ese. Los canales desconocidos se pasan por alto.',
        body: ReadingPositions,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await raiseReadingPositions(services, callerOf(request).id, [request.body].flat());
      return reply.code(204).send(null);
    },
  );
}
