import Type from 'typebox';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { parseCommentNumber } from '../../../shared/comment-id.ts';
import { Problem } from '../../../shared/errors.ts';
import { type LiveOpened, liveEvents } from '../../../shared/live.ts';
import type { SiteSettings } from '../../../shared/site-settings.ts';
import type { Gate } from '../../accounts/sessions/session-guard.ts';
import type { LiveBus } from '../../database/bus/live-bus.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/app-type.ts';
import { openCounts } from '../../http/limits/open-counts.ts';
import type { Config } from '../../system/settings/config.ts';
import { ChannelFeeds } from './stream/channel-feeds.ts';
import { EventStreams, formatEvent, type Stream } from './stream/event-streams.ts';

/**
 * A silent stream takes up to 20 kB. People in a school share one address and have one or two tabs each. The limit on
 * connections (connections.ts) also bounds the total number of streams.
 */
const readerBounds = {
  perKey: 500,
  detail:
    'Desde tu conexión hay demasiados canales abiertos a la vez. Cierra alguna pestaña o espera un momento: se volverá a intentar automáticamente.',
  retryAfterSeconds: 30,
};

/**
 * How long a stream in a community of members lasts at most. Its reader reconnects and must show again that they may
 * read, because a reading cookie ends without an announcement.
 */
const longestMs = 3_600_000;

/** Somebody whose stream is open or opening. */
interface LiveReader {
  /** Null in a community that everyone may read. */
  accountId: string | null;
  stream?: Stream;
  /** Whether the reader may no longer read, or must show again that they may. */
  hasLost?: boolean;
}

interface LiveServices {
  db: Database;
  live: LiveBus;
  settings: () => Promise<Pick<SiteSettings, 'readers'>>;
  /** The site's epoch (site-epoch.ts), sent at the start of each stream. */
  epoch: string;
  config: Pick<Config, 'rateLimits'>;
  /** Admits readers. */
  gate: Gate;
  /** Undefined when metrics are off. */
  metrics: { liveReaders: { inc(): void; dec(): void } } | undefined;
}

export function liveRoutes(app: App, services: LiveServices): void {
  const { db, live, settings, metrics, epoch, config, gate } = services;
  const streams = new EventStreams();
  app.addHook('preClose', async () => streams.close());
  const onFailure = (err: unknown) => app.log.warn({ err }, 'live streams failed');
  const feeds = new ChannelFeeds({ db, live, onFailure });
  const readers = new Set<LiveReader>();
  const endStreams = (accountId: string) => {
    for (const one of readers) {
      if (accountId !== '' && one.accountId !== accountId) continue;
      one.hasLost = true;
      one.stream?.end();
    }
  };
  live.watch((message) => {
    // A change of who may read may have been missed.
    if (message === 'gap') {
      void settings().then(({ readers }) => readers === 'members' && endStreams(''), onFailure);
    } else if (message.kind === 'access') endStreams(message.accountId);
  });
  const countOpen = openCounts({
    ...readerBounds,
    perKey: config.rateLimits ? readerBounds.perKey : Number.POSITIVE_INFINITY,
  });

  app.get(
    apiRoutes.channelLive(':id'),
    {
      // A HEAD response would never end.
      exposeHeadRoute: false,
      config: { moves: 'stream' },
      schema: {
        tags: ['live'],
        summary: 'Comentarios nuevos y avisos de cambios según llegan (text/event-stream)',
        description:
          'Cada `data` es JSON. Primero llega `opened`, con `epoch`, que cambia si se restauró el sitio, y `nowMs`, la hora del servidor. Después, un `comment` (un `Comment`) por cada comentario nuevo, y `changed` cuando algo ha cambiado: los comentarios de `numbers` o, sin ellos, cualquier cosa del canal. El `id` de un evento es el número del último comentario.',
        described: {
          headers: Type.Object({
            'Last-Event-ID': Type.Optional(
              Type.String({ maxLength: 200, description: 'El `id` del último evento recibido.' }),
            ),
          }),
        },
        response: {
          200: {
            description: 'Los eventos, hasta que una de las partes cierra la conexión.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
          '4xx': Problem,
        },
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object({
          after: Type.Optional(
            Type.Unknown({
              description:
                'Número del último evento o comentario recibido; Last-Event-ID tiene preferencia. Sin él, con uno mayor que el del último comentario o con otra forma solo llega lo nuevo.',
            }),
          ),
        }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const last = request.headers['last-event-id'] || request.query.after;
      const release = countOpen(request.addressKey);
      const reader: LiveReader = { accountId: request.reader };
      readers.add(reader);
      const end = () => {
        readers.delete(reader);
        release();
      };
      let isFollowing = false;
      try {
        // A decision between the gate and `add` has ended no stream of this reader.
        await gate(request, reply);
        reader.accountId = request.reader;
        isFollowing = await feeds.follow(id, {
          after: typeof last === 'string' ? parseCommentNumber(last, 0) : undefined,
          isConnected: () => !reply.raw.destroyed,
          open: (from, leave) => {
            metrics?.liveReaders.inc();
            const timer =
              reader.accountId === null ? undefined : setTimeout(() => stream.end(), longestMs);
            const stream = streams.open(reply.header('cache-control', 'no-store'), () => {
              clearTimeout(timer);
              leave();
              end();
              metrics?.liveReaders.dec();
            });
            const opened: LiveOpened = { epoch, nowMs: Date.now() };
            stream.send(formatEvent(liveEvents.opened, opened, from));
            request.endTurn();
            if (reader.hasLost) stream.end();
            reader.stream = stream;
            return stream;
          },
        });
      } finally {
        if (!isFollowing) end();
      }
      if (!isFollowing) throw new ApiError('channel_not_found');
    },
  );
}
