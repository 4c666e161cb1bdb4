import Type from 'typebox';
import { apiRoutes } from '../../shared/api-routes.ts';
import { maxNumber } from '../../shared/comment-id.ts';
import { Id } from '../../shared/schema.ts';
import type { Config } from '../config/config.ts';
import { parseCommentCursor } from '../database/cursors.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app-type.ts';
import { openCounts } from '../limits/open-counts.ts';
import type { LiveBus } from './bus/live-bus.ts';
import { EventStreams } from './stream/event-streams.ts';
import { followChannel } from './stream/follow-channel.ts';
import { findPosition, readMissed } from './stream/missed-changes.ts';
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
  const streams = new EventStreams(generation);
  app.addHook('preClose', async () => streams.close());
  const countOpen = openCounts({
    ...readerBounds,
    perKey: config.rateLimits ? readerBounds.perKey : Number.POSITIVE_INFINITY,
  });

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
      const stream = streams.open(reply.header('cache-control', 'no-store'), id, {
        onReady: () => following.resume(),
        onClose: () => {
          following.unfollow();
          release();
          metrics?.liveReaders.dec();
        },
      });
      stream.opened(from);
      if (isOfFormerHistory) stream.restored(newest);
      const readForReader: ReadMissed = (channelId, at) => readShared(channelId, at, stream.isOpen);
      const following = followChannel({ live, readMissed: readForReader }, id, from, stream);
    },
  );
}
