import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { type CommentKey, maxNumber, parseCommentNumber } from '../../../shared/comment-id.ts';
import { firstOfTen } from '../../../shared/comment-range.ts';
import {
  Comment,
  CommentEdit,
  CommentPage,
  Mine,
  MyThanks,
  NewComment,
} from '../../../shared/comments.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import { PendingPost, pendingText } from '../../../shared/pending.ts';
import { Thankful } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';
import { Id, ListOf } from '../../../shared/schema.ts';
import { Trash } from '../../../shared/trash.ts';
import { callerOf, refuseOtherId } from '../../accounts/sessions/session-guard.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { cachedGet, type ResponseCache } from '../../http/cache/response-cache.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { revisionHeaders, revisionTag } from '../../http/revisions.ts';
import { imageOrigins } from '../../http/site-origin.ts';
import { communityZone, zoneForDates } from '../../site-settings/site-settings.ts';
import type { Config } from '../../system/settings/config.ts';
import { parseAnnouncement } from '../announcements/announcement-content.ts';
import { parseCommentCursor } from '../cursors.ts';
import { listRsvps } from '../events/answer-event.ts';
import { parseEvent } from '../events/event-content.ts';
import { idempotencyHeaders, sentKeyOf } from '../idempotency.ts';
import { listVotes } from '../polls/cast-vote.ts';
import { parsePoll } from '../polls/poll-content.ts';
import { parseCommentContent, parseFiles, parseReplyTo } from './comment-content.ts';
import { listComments, listReplies, type PageRange, requireCounts } from './comment-pages.ts';
import { deleteComment, restoreComment } from './delete-comment.ts';
import { editComment } from './edit-comment.ts';
import { type CommentServices, type NewCommentContent, postComment } from './post-comment.ts';
import { listThanked, listThanks, setThanks } from './thanks.ts';
import { readTrash } from './trash-queries.ts';

const tags = ['comments'];

/** Parameters of routes for a single comment. `parseCommentKey` responds 404 to a malformed number. */
export const commentKeyParameters = Type.Object({ id: Type.String(), number: Type.String() });

const numberParameter = Type.Integer({ minimum: 1, maximum: maxNumber });
interface CommentRouteServices extends CommentServices {
  responses: ResponseCache;
  config: Pick<Config, 'publicUrl'>;
}

const pageLimit = Type.Optional(Type.Integer({ minimum: 1, maximum: limits.listItems }));
/**
 * From this `limit` on, `around` is rounded down with `firstOfTen`. A shorter page might then lack the requested
 * comment.
 */
const minLimitForTens = 20;

/**
 * Pages of comments, routes to write, edit, delete and restore the caller's own, and routes for thanks and the trash.
 */
export function commentRoutes(app: App, services: CommentRouteServices): void {
  const { db, responses, config, now } = services;

  cachedGet(
    app,
    responses,
    apiRoutes.channelComments(':id'),
    {
      tags,
      summary: 'Comentarios de un canal, los más antiguos primero',
      description:
        'Sin parámetros, los primeros; con `after`, los que siguen a un comentario; con `before`, los que lo ' +
        'preceden. `before` con un número mayor que el del último (`<canal>-2147483647`) da la última ' +
        'página. `around` da la página en la que está un número: la mitad antes de su decena (al menos ' +
        '10, si los hay) y el resto desde ella. Solo uno de los tres. `next` y `previous` son lo que ' +
        'toman `after` y `before` para seguir. La respuesta no llega a 1,3 MB: si los comentarios ' +
        'ocuparan más, lleva menos de los que se piden.',
      params: Type.Object({ id: Type.String() }),
      querystring: Type.Object({
        limit: pageLimit,
        after: Type.Optional(Id()),
        before: Type.Optional(Id()),
        around: Type.Optional(numberParameter),
      }),
      response: { 200: CommentPage, '4xx': Problem },
    },
    ({ params: { id }, query }) => {
      const { limit = limits.listItems, after, before, around } = query;
      const from = around !== undefined && limit >= minLimitForTens ? firstOfTen(around) : around;
      return {
        url: withQuery(apiRoutes.channelComments(id), {
          after,
          before,
          around: from,
          limit: query.limit,
        }),
        channelId: id,
        load: async () => {
          const range = parsePageRange(id, { after, before, around: from });
          return listComments(db, await requireCounts(db, id), { limit, range });
        },
      };
    },
  );

  cachedGet(
    app,
    responses,
    apiRoutes.replies(':id', ':number'),
    {
      tags,
      summary: 'Respuestas a un comentario, las más antiguas primero',
      params: commentKeyParameters,
      querystring: Type.Object({ limit: pageLimit, after: Type.Optional(Id()) }),
      response: { 200: ListOf(Comment), '4xx': Problem },
    },
    ({ params: { id, number }, query: { limit, after } }) => ({
      url: withQuery(apiRoutes.replies(id, number), { after, limit }),
      channelId: id,
      load: async () => {
        const afterNumber = after === undefined ? 0 : parseCommentCursor(id, after);
        const key = parseCommentKey({ id, number });
        const page = await listReplies(db, id, key.number, {
          limit: limit ?? limits.listItems,
          after: afterNumber,
        });
        if (!page) throw new ApiError('comment_not_found');
        return page;
      },
    }),
  );

  cachedGet(
    app,
    responses,
    apiRoutes.thanks(':id', ':number'),
    {
      tags,
      summary: 'Quiénes han dado las gracias por un comentario, las últimas personas primero',
      params: commentKeyParameters,
      querystring: Type.Object({ limit: pageLimit, after: Type.Optional(Id()) }),
      response: { 200: ListOf(Thankful), '4xx': Problem },
    },
    ({ params: { id, number }, query: { limit, after } }) => ({
      url: withQuery(apiRoutes.thanks(id, number), { after, limit }),
      channelId: id,
      load: async () => {
        const page = await listThanks(db, parseCommentKey({ id, number }), {
          limit: limit ?? limits.listItems,
          after,
        });
        if (!page) throw new ApiError('comment_not_found');
        return page;
      },
    }),
  );

  app.put(
    apiRoutes.comment,
    {
      schema: {
        tags,
        summary: 'Comentar en un canal',
        description: pendingText,
        headers: idempotencyHeaders,
        body: NewComment,
        response: { 200: Comment, 202: PendingPost, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { event, poll, announcement, autorId } = request.body;
      const zones = {
        zone: event ? await zoneForDates(db, event.zone) : '',
        communityZone: announcement || poll ? await communityZone(db) : '',
      };
      const comment = parseComment(request.body, () => imageOrigins(request, config), zones, now());
      refuseOtherId(caller, autorId);
      const posted = await postComment(services, caller, comment, sentKeyOf(request));
      return 'state' in posted ? reply.code(202).send(posted) : posted;
    },
  );

  app.patch(
    apiRoutes.channelComment(':id', ':number'),
    {
      schema: {
        tags,
        summary: `Editar un comentario propio, hasta ${limits.editHours} horas después de escribirlo`,
        description:
          'Repetir una petición cuya respuesta se perdió no cambia nada más: si el comentario ya dice ' +
          'lo mismo, la respuesta es 200 aunque If-Match se haya quedado atrás.',
        params: commentKeyParameters,
        headers: revisionHeaders,
        body: CommentEdit,
        response: { 200: Comment, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { params, headers, body } = request;
      const fields = new FieldParser();
      // Whether the text may be empty depends on what the comment carries.
      const content = parseCommentContent(fields, body, () => imageOrigins(request, config), true);
      fields.done();
      const { id } = callerOf(request);
      const key = parseCommentKey(params);
      const comment = await editComment(services, id, key, headers['if-match'], content);
      return reply.header('etag', revisionTag(comment)).send(comment);
    },
  );

  app.delete(
    apiRoutes.channelComment(':id', ':number'),
    {
      schema: {
        tags,
        summary: 'Eliminar un comentario propio: va a la papelera',
        params: commentKeyParameters,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await deleteComment(services, callerOf(request).id, parseCommentKey(request.params));
      return reply.code(204).send(null);
    },
  );

  app.post(
    apiRoutes.restoreComment(':id', ':number'),
    {
      schema: {
        tags,
        summary: 'Recuperar un comentario de la papelera',
        params: commentKeyParameters,
        response: { 200: Comment, '4xx': Problem },
      },
    },
    (request) => restoreComment(services, callerOf(request).id, parseCommentKey(request.params)),
  );

  for (const [method, mine, summary] of [
    ['PUT', true, 'Dar las gracias por un comentario'],
    ['DELETE', false, 'Retirar el agradecimiento por un comentario'],
  ] as const) {
    app.route({
      schema: {
        tags,
        summary,
        params: commentKeyParameters,
        response: { 200: MyThanks, '4xx': Problem },
      },
      method,
      url: apiRoutes.thanks(':id', ':number'),
      handler: (request) =>
        setThanks(services, callerOf(request).id, parseCommentKey(request.params), mine),
    });
  }

  app.get(
    apiRoutes.mine(':id'),
    {
      schema: {
        tags,
        summary: 'Lo propio en los comentarios de un canal, entre dos números',
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object({ from: numberParameter, to: numberParameter }),
        response: { 200: Mine, '4xx': Problem },
      },
    },
    async (request) => {
      const { params, query } = request;
      const { id } = callerOf(request);
      return {
        thanks: await listThanked(db, id, params.id, query),
        rsvps: await listRsvps(db, id, { channelId: params.id, ...query }),
        votes: await listVotes(db, id, { channelId: params.id, ...query }),
      };
    },
  );

  app.get(
    apiRoutes.trash,
    {
      schema: {
        tags,
        summary: 'La papelera: lo que la propia cuenta eliminó y puede recuperar',
        description:
          'Los comentarios, por páginas: `next` es lo que toma `after` para seguir. Faltan los de canales ' +
          'ocultos o eliminados, así que una página puede llevar pocos, o ninguno, y seguir otra.',
        querystring: Type.Object({ after: Type.Optional(Id()) }),
        response: { 200: Trash, '4xx': Problem },
      },
    },
    (request) => readTrash(db, callerOf(request).id, { nowMs: now(), after: request.query.after }),
  );
}

/** @throws InvalidCursor; ApiError `invalid_request` for more than one range */
function parsePageRange(
  channelId: string,
  query: { after: string | undefined; before: string | undefined; around: number | undefined },
): PageRange {
  const { after, before, around } = query;
  const given = (['after', 'before', 'around'] as const).filter((name) => query[name] != null);
  if (given.length > 1) {
    const message = 'Usa solo uno de after, before y around.';
    throw new ApiError('invalid_request', { errors: given.map((field) => ({ field, message })) });
  }
  if (around !== undefined) return { around };
  if (before !== undefined) return { before: parseCommentCursor(channelId, before) };
  return { after: after === undefined ? 0 : parseCommentCursor(channelId, after) };
}

/** @throws ApiError `invalid_fields` */
function parseComment(
  body: NewComment,
  siteOrigins: () => string[],
  { zone, communityZone }: { zone: string; communityZone: string },
  nowMs: number,
): NewCommentContent {
  const fields = new FieldParser();
  const carries = Boolean(body.event || body.poll || body.files?.length);
  const content = parseCommentContent(fields, body, siteOrigins, carries);
  const files = parseFiles(fields, body, siteOrigins);
  const replyTo = parseReplyTo(fields, body);
  const event = body.event ? parseEvent(fields, body.event, zone, nowMs) : null;
  const poll = body.poll ? parsePoll(fields, body.poll, communityZone, nowMs) : null;
  if (event && poll) {
    fields.reject('poll', 'Un comentario lleva una fecha o una encuesta, no las dos. Quita una.');
  }
  const announcement = body.announcement
    ? parseAnnouncement(fields, body.announcement, communityZone, nowMs)
    : null;
  fields.done();
  return { ...content, channelId: body.id, replyTo, files, event, poll, announcement };
}

/** @throws ApiError `comment_not_found` for a number that no comment can have */
export function parseCommentKey({ id, number }: { id: string; number: string }): CommentKey {
  const parsed = parseCommentNumber(number);
  if (parsed === undefined) throw new ApiError('comment_not_found');
  return { channelId: id, number: parsed };
}
