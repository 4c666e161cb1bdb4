import Type from 'typebox';
import { Acknowledgements, Reach } from '../../../shared/announcements.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { Id } from '../../../shared/schema.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import type { App } from '../../http/app-type.ts';
import type { Config } from '../../system/settings/config.ts';
import { commentKeyParameters, parseCommentKey } from '../comments/comment-routes.ts';
import type { CommentServices } from '../comments/post-comment.ts';
import { acknowledge, listAcknowledgements, remindOfAnnouncement } from './acknowledge.ts';
import { findReach } from './reach.ts';

const tags = ['comments'];

/** Routes to acknowledge announcements and, for moderators, to see who has, to remind the others, and whom one reaches. */
export function announcementRoutes(
  app: App,
  services: CommentServices & { config: Pick<Config, 'mail'> },
): void {
  const { db, config, now } = services;
  const params = commentKeyParameters;

  app.put(
    apiRoutes.acknowledgement(':id', ':number'),
    {
      schema: {
        tags,
        summary: 'Decir que se ha leído un comunicado',
        params,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await acknowledge(services, callerOf(request).id, parseCommentKey(request.params));
      return reply.code(204).send(null);
    },
  );

  app.get(
    apiRoutes.acknowledgements(':id', ':number'),
    {
      schema: {
        tags,
        summary: 'Quiénes de los miembros de ahora han dicho que han leído un comunicado',
        params,
        querystring: Type.Object({ after: Type.Optional(Id()) }),
        response: { 200: Acknowledgements, '4xx': Problem },
      },
    },
    (request) =>
      listAcknowledgements(db, parseCommentKey(request.params), request.query.after, now()),
  );

  app.post(
    apiRoutes.announcementReminder(':id', ':number'),
    {
      schema: {
        tags,
        summary: 'Recordar un comunicado, una vez, a quienes no han dicho que lo han leído',
        params,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await remindOfAnnouncement(services, parseCommentKey(request.params));
      return reply.code(204).send(null);
    },
  );

  app.get(
    apiRoutes.reach,
    {
      schema: {
        tags,
        summary: 'A cuántas personas llega un comunicado, y cómo',
        response: { 200: Reach, '4xx': Problem },
      },
    },
    (request) => findReach(db, callerOf(request).id, config.mail?.dailyLimit, now()),
  );
}
