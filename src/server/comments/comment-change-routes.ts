import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Bin } from '../../shared/bin.ts';
import { maxNumber } from '../../shared/comment-id.ts';
import { Comment, CommentEdit, MyThanks, ThankedComments } from '../../shared/comments.ts';
import { Problem } from '../../shared/errors.ts';
import { Id } from '../../shared/schema.ts';
import {
  bearerOptions,
  callerOf,
  requireSession,
  type SessionServices,
} from '../accounts/sessions/session-guard.ts';
import type { Config } from '../config/config.ts';
import type { App } from '../http/app-type.ts';
import { FieldParser } from '../http/field-parser.ts';
import { preconditionOf, revisionHeaders, revisionTag } from '../http/revisions.ts';
import { imageOrigins } from '../http/site-origin.ts';
import { withSiteUrls } from '../images/image-queries.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { readBin } from './bin-queries.ts';
import { parseCommentContent } from './comment-content.ts';
import { commentKeyParameters, parseCommentKey } from './comment-key.ts';
import { deleteComment, restoreComment } from './delete-comment.ts';
import { editComment } from './edit-comment.ts';
import type { CommentServices } from './post-comment.ts';
import { listThanked, setThanks } from './thanks.ts';

const number = Type.Integer({ minimum: 1, maximum: maxNumber });

interface CommentChangeServices extends CommentServices, SessionServices {
  images: ImageStore;
  config: Pick<Config, 'rateLimits' | 'sessionDays' | 'publicUrl' | 's3'>;
}

const costly = { budget: 'personal', isCostly: true } as const;

/** Routes to edit, delete and restore one's own comments, for thanks and for the bin. */
export function commentChangeRoutes(app: App, services: CommentChangeServices): void {
  const { db, now, config } = services;
  const options = bearerOptions(requireSession(services), 'comments');
  const forWriters = bearerOptions(requireSession(services, 'writers'), 'comments');

  app.patch(
    apiRoutes.channelComment(':id', ':number'),
    {
      ...forWriters('changeContent', {
        summary: 'Editar un comentario propio, hasta 24 horas después de escribirlo',
        description:
          'Repetir una petición cuya respuesta se perdió no cambia nada más: si el comentario ya dice ' +
          'lo mismo, la respuesta es 200 aunque If-Match se haya quedado atrás.',
        params: commentKeyParameters,
        headers: revisionHeaders,
        body: CommentEdit,
        response: { 200: Comment, '4xx': Problem },
      }),
      // `editComment` rejects an invalid body after its other checks.
      attachValidation: true,
    },
    async (request, reply) => {
      const { validationError } = request;
      const body = validationError ? request.body : await withSiteUrls(services, request.body);
      const parse = () => {
        if (validationError) throw validationError;
        const fields = new FieldParser();
        const content = parseCommentContent(fields, body, imageOrigins(request, config));
        fields.done();
        return content;
      };
      const key = parseCommentKey(request.params);
      const precondition = preconditionOf(request);
      const { id } = callerOf(request);
      const comment = await editComment(services, id, key, precondition, parse);
      return reply.header('etag', revisionTag(comment)).send(comment);
    },
  );

  app.delete(
    apiRoutes.channelComment(':id', ':number'),
    options('changeContent', {
      summary: 'Eliminar un comentario propio: va a la papelera',
      params: commentKeyParameters,
      response: { 204: Type.Null(), '4xx': Problem },
    }),
    async (request, reply) => {
      await deleteComment(services, callerOf(request).id, parseCommentKey(request.params));
      return reply.code(204).send(null);
    },
  );

  app.post(
    apiRoutes.restoreComment(':id', ':number'),
    forWriters('changeContent', {
      summary: 'Recuperar un comentario de la papelera',
      params: commentKeyParameters,
      response: { 200: Comment, '4xx': Problem },
    }),
    (request) => restoreComment(services, callerOf(request).id, parseCommentKey(request.params)),
  );

  for (const [method, mine, summary] of [
    ['PUT', true, 'Dar las gracias por un comentario'],
    ['DELETE', false, 'Retirar el agradecimiento por un comentario'],
  ] as const) {
    app.route({
      ...(mine ? forWriters : options)('thank', {
        summary,
        params: commentKeyParameters,
        response: { 200: MyThanks, '4xx': Problem },
      }),
      method,
      url: apiRoutes.thanks(':id', ':number'),
      handler: (request) =>
        setThanks(services, callerOf(request).id, parseCommentKey(request.params), mine),
    });
  }

  app.get(
    apiRoutes.thanked(':id'),
    options('personal', {
      summary: 'Comentarios de un canal por los que la propia cuenta ha dado las gracias',
      params: Type.Object({ id: Type.String() }),
      querystring: Type.Object({ from: number, to: number }),
      response: { 200: ThankedComments, '4xx': Problem },
    }),
    async (request) => {
      const { params, query } = request;
      return { data: await listThanked(db, callerOf(request).id, params.id, query) };
    },
  );

  app.get(
    apiRoutes.bin,
    options(costly, {
      summary: 'La papelera: lo que la propia cuenta eliminó y puede recuperar',
      description:
        'Los comentarios, por páginas: `next` es lo que toma `after` para seguir. Faltan los de canales ' +
        'ocultos o eliminados, así que una página puede llevar pocos, o ninguno, y seguir otra.',
      querystring: Type.Object({ after: Type.Optional(Id()) }),
      response: { 200: Bin, '4xx': Problem },
    }),
    (request) => readBin(db, callerOf(request).id, { nowMs: now(), after: request.query.after }),
  );
}
