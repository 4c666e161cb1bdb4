import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { ChannelPage } from '../../../shared/channels.ts';
import { visibleName } from '../../../shared/clean-text.ts';
import { Problem } from '../../../shared/errors.ts';
import { limits } from '../../../shared/limits.ts';
import { MentionCandidates, Person, PersonCommentPage } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';
import { Id, Text } from '../../../shared/schema.ts';
import {
  callerOf,
  createGuard,
  type SessionServices,
} from '../../accounts/sessions/session-guard.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { cachedGet, type ResponseCache } from '../../http/cache/response-cache.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { viewableUrl } from '../../images/signed-urls.ts';
import { listChannels } from '../channels/channel-queries.ts';
import { findNewestNumber } from '../comments/comment-queries.ts';
import { findMentionCandidates } from './mention-candidates.ts';
import { listPersonComments, requirePerson } from './person-queries.ts';

const tags = ['people'];

interface PersonServices extends SessionServices {
  responses: ResponseCache;
}

export function personRoutes(app: App, services: PersonServices): void {
  const { db } = services;
  publicRoutes(app, services);

  app.get(
    apiRoutes.users,
    {
      schema: {
        tags,
        summary: 'Personas a quienes mencionar en un canal',
        description:
          'Primero las que escribieron en el canal, empezando por la última; después, por nombre, ' +
          'todas las demás. `prefix` es el comienzo de cualquier palabra del nombre, sin distinguir ' +
          'mayúsculas ni acentos; sin él, solo las del canal.',
        querystring: Type.Object({
          channel: Id(),
          prefix: Type.Optional(Text(limits.userNameChars)),
        }),
        response: { 200: MentionCandidates, '4xx': Problem },
      },
    },
    async (request) => {
      const { channel: channelId, prefix: rawPrefix = '' } = request.query;
      const fields = new FieldParser();
      const prefix = fields.optionalText('prefix', visibleName(rawPrefix), limits.userNameChars);
      fields.done();
      const newest = await findNewestNumber(db, channelId);
      if (newest === undefined) throw new ApiError('channel_not_found');
      const callerId = callerOf(request).id;
      return { data: await findMentionCandidates(db, { channelId, newest, prefix, callerId }) };
    },
  );
}

function publicRoutes(app: App, services: PersonServices): void {
  const { db, responses, now } = services;
  const params = Type.Object({ id: Type.String() });
  const guard = createGuard(services, 'staff');

  /** Shows moderators a person hidden from visitors, so that they can decide about that person. */
  async function showToStaff(error: Error, request: FastifyRequest, reply: FastifyReply) {
    const isMissing = error instanceof ApiError && error.code === 'user_not_found';
    if (!isMissing || !request.headers.authorization) throw error;
    await guard.call(app, request, reply).catch(() => {
      throw error;
    });
    const { id } = request.params as { id: string };
    const person = await requirePerson(db, id, { evenHidden: true });
    return reply.code(200).send({ ...person, img: await viewableUrl(db, person.img, now()) });
  }
  const querystring = Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.listItems })),
    after: Type.Optional(Id()),
  });

  cachedGet(
    app,
    responses,
    apiRoutes.user(':id'),
    { tags, summary: 'Una persona', params, response: { 200: Person, '4xx': Problem } },
    ({ params: { id } }) => ({
      url: apiRoutes.user(id),
      load: () => requirePerson(db, id),
    }),
    showToStaff,
  );

  cachedGet(
    app,
    responses,
    apiRoutes.userChannels(':id'),
    {
      tags,
      summary: 'Los canales de una persona, los más nuevos primero, sin comentarios',
      params,
      querystring,
      response: { 200: ChannelPage, '4xx': Problem },
    },
    ({ params: { id }, query: { limit, after } }) => ({
      url: withQuery(apiRoutes.userChannels(id), { after, limit }),
      load: async () => {
        await requirePerson(db, id);
        return listChannels(db, {
          order: 'new',
          limit: limit ?? limits.listItems,
          embed: 0,
          after,
          authorId: id,
        });
      },
    }),
  );

  cachedGet(
    app,
    responses,
    apiRoutes.userComments(':id'),
    {
      tags,
      summary: 'Los comentarios de una persona, los últimos primero',
      params,
      querystring,
      response: { 200: PersonCommentPage, '4xx': Problem },
    },
    ({ params: { id }, query: { limit, after } }) => ({
      url: withQuery(apiRoutes.userComments(id), { after, limit }),
      load: async () => {
        await requirePerson(db, id);
        return listPersonComments(db, id, { limit: limit ?? limits.listItems, after });
      },
    }),
  );
}
