import type { FastifyReply, FastifyRequest } from 'fastify';
import { assetRoutes } from '../../../shared/routes.ts';
import type { Readers } from '../../../shared/site-settings.ts';
import type { Database } from '../../database/tables.ts';
import { listHomeAnnouncements } from '../../forum/announcements/home-announcements.ts';
import { listLivelyChannels } from '../../forum/channels/channel-queries.ts';
import { listPosterDates } from '../../forum/events/calendar.ts';
import { listOpenPolls } from '../../forum/polls/open-polls.ts';
import type { App } from '../../http/app-type.ts';
import { CachedResponse } from '../../http/cache/cached-response.ts';
import { cachedRoute, type ResponseCache } from '../../http/cache/response-cache.ts';
import { communityZone } from '../../site-settings/site-settings.ts';
import type { Config } from '../../system/settings/config.ts';
import { originOf } from '../render-page.ts';
import { posterHeaders, posterRows, renderPoster } from './poster.ts';

interface Services {
  db: Database;
  responses: ResponseCache;
  config: Pick<Config, 'publicUrl'>;
  settings: () => Promise<{ name: string; welcome: string; readers: Readers }>;
  now: () => number;
}

/** The sheet to be printed. It says what everybody may read who may open it. */
export function posterRoutes(app: App, { db, responses, config, settings, now }: Services): void {
  const keyPrefix = (request: FastifyRequest) => originOf(request, config);
  cachedRoute(app, responses, assetRoutes.poster, {
    schema: { hide: true },
    keyPrefix,
    read: (request) => ({
      url: assetRoutes.poster,
      load: async () =>
        renderPoster({
          site: await settings(),
          zone: await communityZone(db),
          announcements: await listHomeAnnouncements(db, now(), posterRows.announcements),
          dates: await listPosterDates(db, now(), posterRows.dates),
          polls: await listOpenPolls(db, posterRows.polls),
          channels: await listLivelyChannels(db, now(), posterRows.channels),
          origin: keyPrefix(request),
        }),
    }),
    respond: (_reply: FastifyReply, html: string) => new CachedResponse(html, posterHeaders),
  });
}
