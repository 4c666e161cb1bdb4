import Type from 'typebox';
import { commentId } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { eventId, type LiveMissed, type LiveOpened, liveEvents } from '../../shared/live.ts';
import { apiRoutes } from '../../shared/routes.ts';
import { Id } from '../../shared/schema.ts';
import { findNewestNumber, listMissed } from '../comments/comment-queries.ts';
import type { Config } from '../config.ts';
import { parseCommentCursor } from '../database/cursors.ts';
import type { Database } from '../database/tables.ts';
import { addressKey } from '../http/address-key.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { ConcurrencyLimit } from '../http/concurrency-limits.ts';
import type { LiveBus } from '../live-bus/live-bus.ts';
import { EventStreams, formatEvent, isReady, sendEvent } from './event-streams.ts';
import { followChannel } from './follow-channel.ts';
import { replayLimits, shareReads } from './shared-reads.ts';

/** A silent stream takes up to 20 kB. A school behind one address has one or two tabs a person. */
const readerBounds = {
  perKey: 500,
  total: 12_000,
  detail:
    'Desde tu conexión hay demasiados canales abiertos a la vez. Cierra alguna pestaña, o espera un momento: se vuelve a intentar solo.',
  retryAfterSeconds: 30,
};

interface LiveServices {
  db: Database;
  live: LiveBus;
  /** Of the site (site-generation.ts). */
  generation: string;
  config: Pick<Config, 'rateLimits'>;
  /** Undefined when metrics are off. */
  metrics: { liveReaders: { inc(): void; dec(): void } } | undefined;
}

export function liveRoutes(app: App, services: LiveServices): void {
  const { db, live, metrics, generation, config } = services;
  const streams = new EventStreams();
  app.addHook('preClose', async () => streams.close());
  const { perKey, total } = readerBounds;
  const places = new ConcurrencyLimit({
    ...readerBounds,
    perKey: config.rateLimits ? perKey : total,
  });

  /** Encoded once and shared by all readers. */
  const events = new WeakMap<Comment, Buffer>();
  const eventOf = (comment: Comment) => {
    const event =
      events.get(comment) ??
      formatEvent(liveEvents.comment, comment, eventId(generation, comment.id));
    events.set(comment, event);
    return event;
  };
  const readMissed = shareReads(async (channelId, afterNumber) => {
    const { comments: limit, bytes } = replayLimits;
    const comments = await listMissed(db, channelId, { afterNumber, limit, bytes });
    const size = comments?.reduce((sum, comment) => sum + eventOf(comment).length, 0) ?? 0;
    return size > bytes ? undefined : comments;
  });

  app.get(
    apiRoutes.channelLive(':id'),
    {
      // A HEAD response would never end.
      exposeHeadRoute: false,
      config: { load: 'heavy' },
      schema: {
        tags: ['live'],
        summary: 'Comentarios nuevos según llegan (text/event-stream)',
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object({
          after: Type.Optional(
            Id({
              description:
                'Id of the last event or comment seen; Last-Event-ID wins over it. One from before the site was restored, or above the newest comment, is answered with `missed`.',
            }),
          ),
        }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const lastEventId = request.headers['last-event-id'];
      const after = lastEventId ? String(lastEventId) : request.query.after;
      const cursor = after === undefined ? undefined : parseCommentCursor(id, after);
      const release = places.acquire(addressKey(request.ip));
      const newest = await findNewestNumber(db, id).catch((error: unknown) => {
        release();
        throw error;
      });
      if (newest === undefined) {
        release();
        throw new ApiError('channel_not_found');
      }
      const isOfFormerHistory =
        cursor !== undefined &&
        ((cursor.generation ?? generation) !== generation || cursor.number > newest);
      const from = isOfFormerHistory ? newest : (cursor?.number ?? newest);

      metrics?.liveReaders.inc();
      const stream = streams.open(reply.header('cache-control', 'no-store'), {
        onReady: () => following.resume(),
        onClose: () => {
          following.unfollow();
          release();
          metrics?.liveReaders.dec();
        },
      });
      const place = (number: number) => eventId(generation, commentId(id, number));
      const sendMissed = (data: LiveMissed, newest: number) =>
        sendEvent(stream, formatEvent(liveEvents.missed, data, place(newest)));
      const opened: LiveOpened = { generation };
      sendEvent(stream, formatEvent(liveEvents.opened, opened, place(from)));
      if (isOfFormerHistory) sendMissed({ restored: true }, newest);
      const following = followChannel({ db, live, readMissed }, id, from, {
        isReady: () => isReady(stream),
        comment: (comment) => sendEvent(stream, eventOf(comment)),
        missed: (newest) => sendMissed({ restored: false }, newest),
        // The browser reconnects and receives the comments it has not seen.
        failed: (error) => {
          app.log.warn({ err: error }, 'live stream failed');
          stream.end();
        },
      });
    },
  );
}
