import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { commentId, maxNumber } from '../../shared/comment-id.ts';
import { eventId, type LiveMissed, type LiveOpened, liveEvents } from '../../shared/live.ts';
import { Id } from '../../shared/schema.ts';
import type { Config } from '../config/config.ts';
import { parseCommentCursor } from '../database/cursors.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { openCounts } from '../limits/open-counts.ts';
import type { LiveBus } from './bus/live-bus.ts';
import { EventStreams, formatEvent, isReady, sendEvent } from './stream/event-streams.ts';
import { followChannel } from './stream/follow-channel.ts';
import { findPosition, type Position, readMissed } from './stream/missed-changes.ts';
import { type ReadMissed, replayLimits, shareReads } from './stream/shared-reads.ts';

/**
 * A silent stream takes up to 20 kB. People in a school share one address and have one or two tabs each.
 * The limit on connections (connections.ts) also limits all streams together.
 */
const readerBounds = {
  perKey: 500,
  detail:
    'Desde tu conexión hay demasiados canales abiertos a la vez. Cierra alguna pestaña o espera un momento: se volverá a intentar automáticamente.',
  retryAfterSeconds: 30,
};

interface LiveServices {
  db: Database;
  live: LiveBus;
  /** Generation of the site (site-generation.ts). */
  generation: string;
  config: Pick<Config, 'rateLimits'>;
  /** Undefined when metrics are off. */
  metrics: { liveReaders: { inc(): void; dec(): void } } | undefined;
}

export function liveRoutes(app: App, services: LiveServices): void {
  const { db, live, metrics, generation, config } = services;
  const streams = new EventStreams();
  app.addHook('preClose', async () => streams.close());
  const countOpen = openCounts({
    ...readerBounds,
    perKey: config.rateLimits ? readerBounds.perKey : Number.POSITIVE_INFINITY,
  });

  const { encode, eventIdAt } = eventEncoder(generation);
  const readShared = shareReads((channelId, from) => readMissed(db, channelId, from, replayLimits));

  app.get(
    apiRoutes.channelLive(':id'),
    {
      // A HEAD response would never end.
      exposeHeadRoute: false,
      config: { moves: 'stream' },
      schema: {
        tags: ['live'],
        summary: 'Comentarios nuevos, cambiados y eliminados según llegan (text/event-stream)',
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object({
          after: Type.Optional(
            Id({
              description:
                'Id del último evento o comentario recibido; Last-Event-ID tiene preferencia. A uno anterior a la restauración del sitio, o mayor que el del último comentario o cambio, se responde con `missed`.',
            }),
          ),
          changes: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: maxNumber,
              description:
                'El `changeNumber` del canal en la última lectura, si `after` no lo contiene. Sin ninguno de los dos no se envían los cambios anteriores.',
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
      const release = countOpen(request.addressKey);
      const newest = await findPosition(db, id).catch((error: unknown) => {
        release();
        throw error;
      });
      if (newest === undefined) {
        release();
        throw new ApiError('channel_not_found');
      }
      const seen = {
        number: cursor?.number ?? newest.number,
        changeNumber: cursor?.changeNumber ?? request.query.changes ?? newest.changeNumber,
      };
      const isOfFormerHistory =
        (cursor?.generation ?? generation) !== generation ||
        seen.number > newest.number ||
        seen.changeNumber > newest.changeNumber;
      const from = isOfFormerHistory ? newest : seen;

      metrics?.liveReaders.inc();
      const stream = streams.open(reply.header('cache-control', 'no-store'), {
        onReady: () => following.resume(),
        onClose: () => {
          following.unfollow();
          release();
          metrics?.liveReaders.dec();
        },
      });
      const sendMissed = (data: LiveMissed, at: Position) =>
        sendEvent(stream, formatEvent(liveEvents.missed, data, eventIdAt(id, at)));
      const opened: LiveOpened = { generation };
      sendEvent(stream, formatEvent(liveEvents.opened, opened, eventIdAt(id, from)));
      if (isOfFormerHistory) sendMissed({ restored: true, changes: true }, newest);
      const isWaiting = () => !stream.destroyed;
      const readForReader: ReadMissed = (channelId, at) => readShared(channelId, at, isWaiting);
      const following = followChannel({ live, readMissed: readForReader }, id, from, {
        isReady: () => isReady(stream),
        comment: (comment, at) =>
          sendEvent(stream, encode(liveEvents.comment, comment, eventIdAt(id, at))),
        change: ({ event, data }, at) =>
          sendEvent(stream, encode(liveEvents[event], data, eventIdAt(id, at))),
        counts: (counts, at) =>
          sendEvent(stream, encode(liveEvents.counts, counts, eventIdAt(id, at))),
        missed: (at, changes) => sendMissed({ restored: false, changes }, at),
        // The browser reconnects and receives the comments that it has not seen.
        failed: (error) => {
          app.log.warn({ err: error }, 'live stream failed');
          stream.end();
        },
      });
    },
  );
}

function eventEncoder(generation: string) {
  /** Last encoding of each event, because most readers are at the same position. */
  const encoded = new WeakMap<object, { id: string; bytes: Buffer }>();
  return {
    eventIdAt: (channelId: string, { number, changeNumber }: Position) =>
      eventId(generation, commentId(channelId, number), changeNumber),
    /** @param data belongs to one event, whose encoding readers share */
    encode(event: string, data: object, id: string): Buffer {
      const known = encoded.get(data);
      if (known?.id === id) return known.bytes;
      const bytes = formatEvent(event, data, id);
      encoded.set(data, { id, bytes });
      return bytes;
    },
  };
}
