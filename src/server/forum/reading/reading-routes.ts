import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { ReadingPositions } from '../../../shared/people.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import type { App } from '../../http/app-type.ts';
import { raiseReadingPositions } from './reading-positions.ts';

const tags = ['people'];

/** The route by which a page sends how far its reader has read. */
export function readingRoutes(app: App, services: { withTransaction: WithTransaction }): void {
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
