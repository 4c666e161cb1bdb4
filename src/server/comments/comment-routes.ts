import Type from 'typebox';
import { Comment, CommentPage, NewComment } from '../../shared/comments.ts';
import { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import { apiRoutes, withQuery } from '../../shared/routes.ts';
import { Id } from '../../shared/schema.ts';
import {
  callerOf,
  refuseOtherId,
  requireSession,
  type SessionServices,
} from '../accounts/session-guard.ts';
import { cachedGet } from '../cache/cached-get.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { parseListCursor } from '../database/cursors.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { FieldParser } from '../http/field-parser.ts';
import { idempotencyHeaders, idempotentRequest } from '../http/idempotency-key.ts';
import type { Limit } from '../http/rate-limits.ts';
import { findNewestNumber, listComments } from './comment-queries.ts';
import { type CommentServices, postComment } from './post-comment.ts';

const tags = ['comments'];

interface CommentRouteServices extends CommentServices, SessionServices {
  responses: ResponseCache;
  /** Of the site (site-generation.ts). */
  generation: string;
}

export function commentRoutes(app: App, services: CommentRouteServices, limit: Limit): void {
  const { db, responses, generation } = services;

  cachedGet(
    app,
    responses,
    apiRoutes.channelComments(':id'),
    {
      tags,
      summary: 'Comentarios de un canal, los más antiguos primero',
      description:
        'La respuesta no llega a 4 MB: si los comentarios ocuparan más, lleva menos de los que se ' +
        'piden, y `next` dice por dónde seguir.',
      params: Type.Object({ id: Type.String() }),
      querystring: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.listItems })),
        after: Type.Optional(Id()),
      }),
      response: { 200: CommentPage, '4xx': Problem },
    },
    ({ params: { id }, query: { limit = limits.listItems, after } }) => ({
      url: withQuery(apiRoutes.channelComments(id), { after, limit }),
      subject: { channelId: id },
      load: async () => {
        if ((await findNewestNumber(db, id)) === undefined) throw new ApiError('channel_not_found');
        const afterNumber = after === undefined ? 0 : parseListCursor(id, after, generation);
        return listComments(db, id, { limit, afterNumber });
      },
    }),
  );

  app.put(
    apiRoutes.comment,
    {
      onRequest: requireSession(services),
      preHandler: limit('comment'),
      schema: {
        tags,
        summary: 'Comentar en un canal',
        security: [{ bearer: [] }],
        headers: idempotencyHeaders,
        body: NewComment,
        response: { 200: Comment, '4xx': Problem },
      },
    },
    (request) => {
      const caller = callerOf(request);
      refuseOtherId(caller, request.body.autorId);
      const comment = parseComment(request.body);
      return postComment(services, caller, comment, idempotentRequest(caller.id, request));
    },
  );
}

/** @throws ApiError `invalid_fields`; `channel_not_found` for an id that no channel can have */
function parseComment({ id, comment }: NewComment) {
  const fields = new FieldParser();
  const text = fields.text('comment', comment, limits.commentChars);
  fields.done();
  // PostgreSQL text cannot store NUL.
  if (id.includes('\0')) throw new ApiError('channel_not_found');
  return { channelId: id, text };
}
