import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { CommentVersions, Queue } from '../../shared/moderation.ts';
import { Id } from '../../shared/schema.ts';
import {
  requireStaff,
  type SessionServices,
  sessionOf,
} from '../accounts/sessions/session-guard.ts';
import { commentKeyParameters, parseCommentKey } from '../comments/comment-key.ts';
import { toInstant } from '../database/tables.ts';
import type { App } from '../http/app-type.ts';
import { listVersions } from './content.ts';
import { readQueue } from './queue-queries.ts';

const bearer = { tags: ['moderation'], security: [{ bearer: [] }] };

/** Routes for moderators to see what waits for a decision, and what a comment said before. */
export function queueRoutes(app: App, services: SessionServices): void {
  const { db, now } = services;
  const onRequest = requireStaff(services);

  app.get(
    apiRoutes.queue,
    {
      onRequest,
      config: { budget: 'personal', isCostly: true },
      schema: {
        ...bearer,
        summary:
          'Lo que espera una decisión, primero lo más antiguo, o lo ya decidido, lo último primero',
        description:
          '`pending` es lo que espera aprobación: comentarios y canales, con el id que tienen mientras esperan, y ' +
          'cuentas. Los recuentos llegan como mucho a 1.000.',
        querystring: Type.Object({
          state: Type.Optional(Type.Enum(['open', 'pending', 'decided'])),
          after: Type.Optional(Id()),
        }),
        response: { 200: Queue, '4xx': Problem },
      },
    },
    (request) => {
      const { user, role } = sessionOf(request);
      const { state = 'open', after } = request.query;
      return readQueue(db, { id: user.id, role }, { state, after }, now());
    },
  );

  app.get(
    apiRoutes.versions(':id', ':number'),
    {
      onRequest,
      config: { budget: 'personal', isCostly: true },
      schema: {
        ...bearer,
        summary:
          'Los textos que ha tenido un comentario en los últimos 30 días, también oculto o eliminado',
        params: commentKeyParameters,
        response: { 200: CommentVersions, '4xx': Problem },
      },
    },
    async (request): Promise<CommentVersions> => {
      const { earlier, current } = await listVersions(services, parseCommentKey(request.params));
      return {
        data: [
          ...earlier.map(({ revision, text, replaced_at_ms }) => ({
            ...{ revision, text, until: toInstant(replaced_at_ms) },
          })),
          { revision: current.revision, text: current.text, until: null },
        ],
      };
    },
  );
}
