import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Channel, ChannelEdit } from '../../shared/channels.ts';
import { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
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
import { deleteChannel, editChannel, restoreChannel, setClosed } from './change-channel.ts';
import type { ChannelServices, NewChannelRow } from './channel-queries.ts';

const params = Type.Object({ id: Type.String() });
const withoutComments =
  'La respuesta es el canal sin comentarios; `commentCount` dice cuántos hay.';

interface ChannelChangeServices extends ChannelServices, SessionServices {
  images: ImageStore;
  config: Pick<Config, 'rateLimits' | 'sessionDays' | 'publicUrl' | 's3'>;
}

/** Routes to edit, close, reopen, delete and restore one's own channels. */
export function channelChangeRoutes(app: App, services: ChannelChangeServices): void {
  const { config } = services;
  const options = bearerOptions(requireSession(services), 'channels');
  const forWriters = bearerOptions(requireSession(services, 'writers'), 'channels');

  app.patch(
    apiRoutes.channel(':id'),
    {
      ...forWriters('changeContent', {
        summary: 'Editar un canal propio: el nombre, hasta 24 horas después de crearlo',
        description: withoutComments,
        params,
        headers: revisionHeaders,
        body: ChannelEdit,
        response: { 200: Channel, '4xx': Problem },
      }),
      // `editChannel` rejects an invalid body after its other checks.
      attachValidation: true,
    },
    async (request, reply) => {
      const { validationError, params } = request;
      const body = validationError ? {} : await withSiteUrls(services, request.body);
      const parse = (current: Pick<NewChannelRow, 'cover'>) => {
        if (validationError) throw validationError;
        return parseEdit(body, current, imageOrigins(request, config));
      };
      const { id } = callerOf(request);
      const channel = await editChannel(services, id, params.id, preconditionOf(request), parse);
      return reply.header('etag', revisionTag(channel)).send(channel);
    },
  );

  app.delete(
    apiRoutes.channel(':id'),
    options('changeContent', {
      summary: 'Eliminar un canal propio en el que no ha escrito nadie más: va a la papelera',
      params,
      response: { 204: Type.Null(), '4xx': Problem },
    }),
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
      forWriters('changeContent', {
        summary,
        description: withoutComments,
        params,
        response: { 200: Channel, '4xx': Problem },
      }),
      (request) => change(services, callerOf(request).id, request.params.id),
    );
  }
}

type ChangeArguments = Parameters<typeof restoreChannel>;

/** The given parts. The current cover is always valid. @throws ApiError `invalid_fields` */
export function parseEdit(
  { name, description, cover, coverAlt }: ChannelEdit,
  current: Pick<NewChannelRow, 'cover'>,
  siteOrigins: string[],
): Partial<NewChannelRow> {
  const fields = new FieldParser();
  const parts: Partial<NewChannelRow> = {};
  if (name !== undefined) parts.name = fields.text('name', name, limits.channelNameChars);
  if (description !== undefined) {
    parts.description = fields.text('description', description, limits.descriptionChars);
  }
  if (cover !== undefined) {
    const isSame = cover === current.cover;
    parts.cover = isSame ? cover : fields.imageUrl('cover', cover, siteOrigins);
  }
  if (coverAlt !== undefined) {
    parts.cover_alt = fields.optionalText('coverAlt', coverAlt, limits.coverAltChars);
  }
  fields.done();
  return parts;
}
