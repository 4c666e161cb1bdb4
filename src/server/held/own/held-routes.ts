import { type SqlBool, sql } from 'kysely';
import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { Problem } from '../../../shared/errors.ts';
import { Held, HeldEdit, HeldList } from '../../../shared/held.ts';
import { callerOf } from '../../accounts/sessions/session-guard.ts';
import type { ChannelServices } from '../../channels/channel-queries.ts';
import { parseEdit } from '../../channels/channel-routes.ts';
import { parseCommentContent } from '../../comments/comment-content.ts';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { preconditionOf, revisionHeaders, revisionTag } from '../../http/revisions.ts';
import { imageOrigins } from '../../http/site-origin.ts';
import { withoutSignatures } from '../../images/signed-urls.ts';
import { eraseHeld, listHeld, type Post } from '../held-rows.ts';
import { editHeld } from './change-held.ts';

const tags = ['comments'];

const params = Type.Object({ id: Type.String() });

interface HeldServices extends ChannelServices {
  config: Pick<Config, 'publicUrl'>;
}

/** Routes to see, change and withdraw what of one's own waits for a moderator. */
export function heldRoutes(app: App, services: HeldServices): void {
  const { db, now, config } = services;

  app.get(
    apiRoutes.held,
    {
      schema: {
        tags,
        summary: 'Lo propio que espera revisión, o no se aprobó en los últimos 30 días',
        response: { 200: HeldList, '4xx': Problem },
      },
    },
    async (request) => ({ data: await listHeld(db, callerOf(request).id, now()) }),
  );

  app.patch(
    apiRoutes.heldItem(':id'),
    {
      schema: {
        tags,
        summary: 'Cambiar algo propio que espera revisión',
        description:
          'De un comentario, su texto, menciones e imágenes; las que falten se quitan. De un canal, lo demás: ' +
          'lo que falte se queda.',
        params,
        headers: revisionHeaders,
        body: HeldEdit,
        response: { 200: Held, '4xx': Problem },
      },
      // `editHeld` rejects an invalid body after its other checks.
      attachValidation: true,
    },
    async (request, reply) => {
      const { validationError } = request;
      const body = validationError ? {} : withoutSignatures(request.body);
      const parse = (current: Post) => {
        if (validationError) throw validationError;
        return parsePost(current, body, imageOrigins(request, config));
      };
      const precondition = preconditionOf(request);
      const { id } = callerOf(request);
      const held = await editHeld(services, id, request.params.id, precondition, parse);
      return reply.header('etag', revisionTag(held)).send(held);
    },
  );

  app.delete(
    apiRoutes.heldItem(':id'),
    {
      schema: {
        tags,
        summary: 'Retirar algo propio que espera revisión, o quitar lo que no se aprobó',
        params,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      const isOwn = sql<SqlBool>`account_id = ${callerOf(request).id} and id = ${request.params.id}`;
      if ((await eraseHeld(services, isOwn)) === 0) throw new ApiError('held_not_found');
      return reply.code(204).send(null);
    },
  );
}

/** @throws ApiError `invalid_fields` */
function parsePost(current: Post, body: HeldEdit, siteOrigins: string[]): Post {
  if (current.kind === 'channel') {
    const edit = parseEdit(body, current.content, siteOrigins);
    return { kind: 'channel', content: { ...current.content, ...edit } };
  }
  const fields = new FieldParser();
  const edit = { ...body, comment: body.comment ?? '' };
  const content = parseCommentContent(fields, edit, siteOrigins);
  fields.done();
  return { kind: 'comment', content: { ...current.content, ...content } };
}
