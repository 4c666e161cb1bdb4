import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import { withQuery } from '../../shared/routes.ts';
import { siteNameOf } from '../../shared/site-name.ts';
import { callerOf } from '../accounts/sessions/session-guard.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { parseCommentKey } from '../forum/comments/comment-routes.ts';
import { requireEvent } from '../forum/events/answer-event.ts';
import {
  calendarPath,
  findSubscriber,
  listSubscribed,
  renewCalendar,
  withEvents,
} from '../forum/events/calendar-feed.ts';
import { calendarFile, type FileDate } from '../forum/events/calendar-file.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { CachedResponse, sendCachedResponse } from '../http/cache/cached-response.ts';
import { cachedRoute, type ResponseCache } from '../http/cache/response-cache.ts';
import type { Config } from '../system/settings/config.ts';
import { originOf } from './render-page.ts';

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
  responses: ResponseCache;
  siteIdentity: string;
  config: Pick<Config, 'publicUrl'>;
  settings: () => Promise<{ name: string }>;
}

const CalendarUrl = Type.Object({
  url: Type.String({
    description:
      'La dirección secreta de la agenda de la cuenta, en iCalendar; vale hasta que se renueva.',
  }),
});

/** Dates for calendar programs: those of one comment, and the subscription of a person. */
export function calendarFileRoutes(app: App, services: Services): void {
  const { db, now, responses, siteIdentity, config, settings } = services;
  const fileOf = async (origin: string, dates: FileDate[]) =>
    calendarFile(
      { name: siteNameOf(await settings()), origin, identity: siteIdentity },
      dates,
      now(),
    );
  const respond = (text: string, caching: string) =>
    new CachedResponse(text, {
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': caching,
    });

  cachedRoute(app, responses, apiRoutes.eventFile(':id', ':number'), {
    keyPrefix: (request: FastifyRequest) => originOf(request, config),
    respond: (_reply: FastifyReply, text: string) => respond(text, 'public, no-cache'),
    schema: {
      tags: ['events'],
      summary: 'Las fechas de un comentario, o una de ellas, en iCalendar',
      params: Type.Object({ id: Type.String(), number: Type.String() }),
      querystring: Type.Object({
        date: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.eventDates - 1 })),
      }),
      response: {
        200: {
          description: 'Un archivo iCalendar, con las horas en UTC.',
          content: { 'text/calendar': { schema: Type.Unknown() } },
        },
        '4xx': Problem,
      },
    },
    read: (request) => {
      const { params, query } = request;
      return {
        url: withQuery(apiRoutes.eventFile(params.id, params.number), { date: query.date }),
        channelId: params.id,
        load: async () => {
          const key = parseCommentKey(params);
          await requireEvent(db, key);
          const rows = await db
            .selectFrom('event_dates')
            .selectAll()
            .where('channel_id', '=', key.channelId)
            .where('number', '=', key.number)
            .orderBy('starts_at_ms')
            .execute();
          const wanted = rows.filter(({ position }) => (query.date ?? position) === position);
          if (wanted.length === 0) throw new ApiError('event_not_found');
          return fileOf(originOf(request, config), await withEvents(db, wanted));
        },
      };
    },
  });

  app.get(
    '/calendar/:secret.ics',
    { schema: { hide: true, params: Type.Object({ secret: Type.String() }) } },
    async (request, reply) => {
      const subscriber = await findSubscriber(db, request.params.secret, now());
      if (subscriber === undefined) throw new ApiError('not_found');
      const dates = await listSubscribed(db, subscriber, now());
      const text = await fileOf(originOf(request, config), dates);
      return sendCachedResponse(reply, respond(text, 'private, no-cache'));
    },
  );

  for (const [method, summary] of [
    ['GET', 'La dirección de la propia agenda, para suscribirse'],
    ['POST', 'Renovar la dirección de la propia agenda: la anterior deja de valer'],
  ] as const) {
    app.route({
      method,
      url: apiRoutes.ownCalendar,
      schema: { tags: ['events'], summary, response: { 200: CalendarUrl, '4xx': Problem } },
      handler: async (request) => {
        const { id } = callerOf(request);
        if (method === 'POST') await renewCalendar(services, id);
        return { url: originOf(request, config) + (await calendarPath(db, id)) };
      },
    });
  }
}
