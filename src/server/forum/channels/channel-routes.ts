import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import {
  Channel,
  ChannelEdit,
  ChannelOrder,
  ChannelPage,
  NewChannel,
} from '../../../shared/channels.ts';
import { bulletedText, oneLine, visibleName } from '../../../shared/clean-text.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import { PendingPost, pendingText } from '../../../shared/pending.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import { Id } from '../../../shared/schema.ts';
import { callerOf, refuseOtherId } from '../../accounts/sessions/session-guard.ts';
import type { App } from '../../http/app-type.ts';
import { cachedGet, type ResponseCache } from '../../http/cache/response-cache.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { revisionHeaders, revisionTag } from '../../http/revisions.ts';
import { imageOrigins } from '../../http/site-origin.ts';
import type { Config } from '../../system/settings/config.ts';
import { idempotencyHeaders, sentKeyOf } from '../idempotency.ts';
import { deleteChannel, editChannel, restoreChannel, setClosed } from './change-channel.ts';
import {
  type ChannelServices,
  listHomeChannels,
  type NewChannelRow,
  requireShownChannel,
} from './channel-queries.ts';
import { insertChannel } from './create-channel.ts';
import { setPinned } from './pin-channel.ts';

const tags = ['channels'];

const fewComments =
  `Una respuesta lleva como mucho ${limits.listComments} comentarios, repartidos por igual entre sus canales, y ${limits.listTextBytes / 1e6} MB ` +
  'de texto; `commentCount` dice cuántos hay. Los demás se piden en `/comments`.';

/** Number of comments to embed in each channel. */
const embed = Type.Optional(Type.Integer({ minimum: 0, maximum: limits.listItems }));

const params = Type.Object({ id: Type.String() });
const withoutComments =
  'La respuesta es el canal sin comentarios; `commentCount` dice cuántos hay.';

interface ChannelRouteServices extends ChannelServices {
  responses: ResponseCache;
  config: Pick<Config, 'publicUrl'>;
}

/**
 * Lists of channels, and routes to create a channel and to edit, close, reopen, delete and restore the caller's own.
 */
export function channelRoutes(app: App, services: ChannelRouteServices): void {
  const { db, config, responses, now } = services;

  const schema = {
    tags,
    summary: 'Canales, los más comentados primero',
    description:
      '`sort=activity` pone delante los del último comentario más reciente; `sort=new`, los más ' +
      `nuevos. Un \`after\` solo vale con el orden del que salió. ${fewComments}`,
    querystring: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.listItems })),
      comments: embed,
      after: Type.Optional(Id()),
      sort: Type.Optional(ChannelOrder),
    }),
    response: { 200: ChannelPage, '4xx': Problem },
  };
  cachedGet(
    app,
    responses,
    apiRoutes.channels,
    schema,
    ({ query: { limit, comments, after, sort: order = 'comments' } }) => ({
      // The URL that the forum's own pages request, so that both share a cache entry.
      url: withQuery(apiRoutes.channels, {
        limit,
        comments,
        after,
        sort: order === 'comments' ? null : order,
      }),
      load: () =>
        listHomeChannels(
          db,
          {
            order,
            limit: limit ?? limits.listItems,
            embed: comments ?? limits.listItems,
            after,
          },
          now(),
        ),
    }),
  );

  cachedGet(
    app,
    responses,
    apiRoutes.channel(':id'),
    {
      tags,
      summary: 'Un canal con sus primeros comentarios',
      description: fewComments,
      params,
      querystring: Type.Object({ comments: embed }),
      response: { 200: Channel, '4xx': Problem },
    },
    ({ params: { id }, query: { comments } }) => ({
      url: withQuery(apiRoutes.channel(id), { comments }),
      channelId: id,
      load: () => requireShownChannel(db, id, comments ?? limits.listItems),
    }),
  );

  app.post(
    apiRoutes.channels,
    {
      schema: {
        tags,
        summary: 'Crear un canal',
        description: pendingText,
        headers: idempotencyHeaders,
        body: NewChannel,
        response: { 201: Channel, 202: PendingPost, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const parsed = parseChannel(request.body, imageOrigins(request, config));
      refuseOtherId(caller, request.body.autorId);
      const channel = await insertChannel(services, caller, parsed, sentKeyOf(request));
      if ('state' in channel) return reply.code(202).send(channel);
      return reply.code(201).header('location', pageRoutes.channel(channel._id)).send(channel);
    },
  );

  app.patch(
    apiRoutes.channel(':id'),
    {
      schema: {
        tags,
        summary: `Editar un canal propio: el nombre, hasta ${limits.editHours} horas después de crearlo`,
        description:
          `${withoutComments} Quien administra el foro puede además fijar en el inicio cualquier canal, hasta ` +
          `${limits.pinnedChannels}: \`{ "pinned": true }\`, sin más campos ni \`If-Match\`.`,
        params,
        headers: revisionHeaders,
        body: ChannelEdit,
        response: { 200: Channel, '4xx': Problem },
      },
    },
    async (request, reply) => {
      const { params, headers, body } = request;
      const { id } = callerOf(request);
      if (body.pinned !== undefined)
        return reply.send(await setPinned(services, id, params.id, parsePinned(body)));
      const parts = parseEdit(body, imageOrigins(request, config));
      const channel = await editChannel(services, id, params.id, headers['if-match'], parts);
      return reply.header('etag', revisionTag(channel)).send(channel);
    },
  );

  app.delete(
    apiRoutes.channel(':id'),
    {
      schema: {
        tags,
        summary: 'Eliminar un canal propio en el que no ha escrito nadie más: va a la papelera',
        params,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await deleteChannel(services, callerOf(request).id, request.params.id);
      return reply.code(204).send(null);
    },
  );

  for (const [url, summary, change] of [
    [apiRoutes.restoreChannel(':id'), 'Recuperar un canal de la papelera', restoreChannel],
    [
      apiRoutes.closeChannel(':id'),
      'Cerrar un canal propio: se puede leer, pero no comentar',
      (...args: ChangeArguments) => setClosed(...args, true),
    ],
    [
      apiRoutes.reopenChannel(':id'),
      'Reabrir un canal propio',
      (...args: ChangeArguments) => setClosed(...args, false),
    ],
  ] as const) {
    app.post(
      url,
      {
        schema: {
          tags,
          summary,
          description: withoutComments,
          params,
          response: { 200: Channel, '4xx': Problem },
        },
      },
      (request) => change(services, callerOf(request).id, request.params.id),
    );
  }
}

type ChangeArguments = Parameters<typeof restoreChannel>;

/** @throws ApiError `invalid_fields` */
function parseChannel(body: NewChannel, siteOrigins: string[]): NewChannelRow {
  const fields = new FieldParser();
  const row = {
    name: fields.text('name', visibleName(body.name), limits.channelNameChars),
    description: parseDescription(fields, body.description),
    cover: fields.imageUrl('cover', body.cover, siteOrigins),
    cover_alt: fields.optionalText('coverAlt', oneLine(body.coverAlt ?? ''), limits.coverAltChars),
  };
  fields.done();
  return row;
}

function parseDescription(fields: FieldParser, raw: string): string {
  return fields.text('description', bulletedText(raw), limits.descriptionChars);
}

/** @throws ApiError `invalid_fields` when other parts are given as well */
function parsePinned({ pinned = false, ...others }: ChannelEdit): boolean {
  const fields = new FieldParser();
  if (Object.keys(others).length > 0) fields.reject('pinned', 'Fíjalo sin cambiar nada más.');
  fields.done();
  return pinned;
}

/** The given parts. @throws ApiError `invalid_fields` */
function parseEdit(
  { name, description, cover, coverAlt }: ChannelEdit,
  siteOrigins: string[],
): Partial<NewChannelRow> {
  const fields = new FieldParser();
  const parts: Partial<NewChannelRow> = {};
  if (name !== undefined)
    parts.name = fields.text('name', visibleName(name), limits.channelNameChars);
  if (description !== undefined) {
    parts.description = parseDescription(fields, description);
  }
  if (cover !== undefined) parts.cover = fields.imageUrl('cover', cover, siteOrigins);
  if (coverAlt !== undefined) {
    parts.cover_alt = fields.optionalText('coverAlt', oneLine(coverAlt), limits.coverAltChars);
  }
  fields.done();
  return parts;
}
