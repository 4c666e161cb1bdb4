import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { Problem } from '../../shared/errors.ts';
import { limits } from '../../shared/limits.ts';
import { ChannelLevel, NotificationPage, SeenNotifications } from '../../shared/notifications.ts';
import { News } from '../../shared/people.ts';
import { Id } from '../../shared/schema.ts';
import type { SiteSettings } from '../../shared/site-settings.ts';
import { callerOf, sessionOf } from '../accounts/sessions/session-guard.ts';
import type { Restriction } from '../accounts/standing/restrictions.ts';
import { type Database, toInstant } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { listAcknowledged } from '../forum/announcements/acknowledge.ts';
import { countPending } from '../forum/pending/pending-cases.ts';
import { findNewChannels, findReads } from '../forum/reading/reading-positions.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { countOpen } from '../moderation/queue/queue-queries.ts';
import { levelOf } from '../site-settings/site-settings.ts';
import { findFollow, setLevel } from './channel-levels.ts';
import { countNewNotifications, listNotifications } from './list-notifications.ts';
import { markSeen } from './mark-seen.ts';
import { findOwnNews } from './own-news.ts';

const tags = ['people'];

/** Open cases and pending items are each counted up to this number. */
const mostPending = 100;

/** Routes for what the caller is told: how much is new, notifications, and which of a channel are wanted. */
export function newsRoutes(
  app: App,
  services: {
    db: Database;
    withTransaction: WithTransaction;
    settings: () => Promise<SiteSettings>;
    now: () => number;
  },
): void {
  const { db } = services;
  const followOf = async ({ id }: { id: string }) =>
    findFollow(db, id, levelOf(await services.settings()));

  app.get(
    apiRoutes.news,
    {
      schema: {
        tags,
        summary: 'Lo nuevo para la propia cuenta, y en los canales que ha visitado',
        description: 'Una cuenta que no puede leer solo sabe por qué.',
        querystring: Type.Object({
          channels: Type.Optional(
            Type.String({
              maxLength: limits.readsPerRequest * 40,
              description: `Hasta ${limits.readsPerRequest} ids de canales, separados por comas.`,
            }),
          ),
        }),
        response: { 200: News, '4xx': Problem },
      },
    },
    async (request): Promise<News> => {
      const ids = [...new Set(request.query.channels?.split(','))];
      if (ids.length > limits.readsPerRequest) throw new ApiError('invalid_request');
      const { role, user, restriction, mayRead } = sessionOf(request);
      const follow = await followOf(user);
      const shared = {
        role,
        follow,
        restriction: restriction ? restrictionFields(restriction) : null,
      };
      if (!mayRead)
        return {
          ...shared,
          acknowledged: [],
          unreadNotifications: 0,
          pendingModeration: 0,
          reads: {},
          newChannels: [],
          reviewsNext: false,
          hasPending: false,
          hasHidden: false,
        };
      return {
        ...shared,
        ...(await findOwnNews(db, user.id, await services.settings())),
        acknowledged: await listAcknowledged(db, user.id, services.now()),
        unreadNotifications: await countNewNotifications(db, user.id),
        pendingModeration:
          role === 'member'
            ? 0
            : (await countOpen(db, user.id, mostPending)) +
              (await countPending(db, user.id, mostPending)),
        reads: await findReads(db, user.id, ids, follow),
        newChannels: await findNewChannels(db, user.id, ids, services.now()),
      };
    },
  );

  app.get(
    apiRoutes.notifications,
    {
      schema: {
        tags,
        summary: `Respuestas, menciones, gracias, lo nuevo en lo que se sigue y decisiones de los últimos ${limits.notificationDays} días, y los canales que se siguen`,
        description: 'Reunidas por canal y clase, las últimas primero; las decisiones, una a una.',
        querystring: Type.Object({ after: Type.Optional(Id()) }),
        response: { 200: NotificationPage, '4xx': Problem },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      return listNotifications(db, caller.id, request.query.after, await followOf(caller));
    },
  );

  app.put(
    apiRoutes.notificationsSeen,
    {
      schema: {
        tags,
        summary: 'Indicar hasta qué aviso se han visto',
        description: 'Uno anterior al guardado no cambia nada.',
        body: SeenNotifications,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await markSeen(services, callerOf(request).id, request.body);
      return reply.code(204).send(null);
    },
  );

  app.put(
    apiRoutes.level(':id'),
    {
      schema: {
        tags,
        summary: 'Elegir qué avisos de un canal se reciben',
        params: Type.Object({ id: Type.String() }),
        body: ChannelLevel,
        response: { 204: Type.Null(), '4xx': Problem },
      },
    },
    async (request, reply) => {
      await setLevel(services, callerOf(request).id, request.params.id, request.body.level);
      return reply.code(204).send(null);
    },
  );
}

const restrictionFields = (restriction: Restriction) => ({
  state: restriction.isHidden ? ('hidden' as const) : restriction.code,
  until: restriction.untilMs === null ? null : toInstant(restriction.untilMs),
  decision: restriction.decisionId,
});
