import { fastifySSE, type SSEMessage } from '@fastify/sse';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { limits } from '../../shared/limits.ts';
import { liveEvents } from '../../shared/live.ts';
import { apiRoutes } from '../../shared/routes.ts';
import { findNewestNumber } from '../channels/channel-queries.ts';
import { listComments } from '../comments/comment-queries.ts';
import { parseCommentCursor } from '../database/cursors.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { App } from '../http/app-type.ts';
import { followChannel } from './follow-channel.ts';
import { shareReads } from './shared-reads.ts';
import { unreadBound } from './unread-bound.ts';

/** Shorter than the idle time-outs of common proxies. */
const heartbeatMs = 20_000;
/** How soon a reader whose stream broke off comes back. */
const reconnectMs = 2000;

export async function liveRoutes(app: App, deps: Deps): Promise<void> {
  const { db, live, metrics } = deps;
  const readComments = shareReads((channelId, afterNumber) =>
    listComments(db, channelId, { limit: limits.liveReplayComments, afterNumber }),
  );
  await app.register(fastifySSE, { heartbeatInterval: heartbeatMs });
  const open = new Set<FastifyReply>();
  let closing = false;
  // Streams have no end of their own; closing the server would wait for them forever.
  app.addHook('preClose', async () => {
    closing = true;
    for (const reply of open) reply.sse.close();
  });

  app.get(
    apiRoutes.channelLive(':id'),
    {
      sse: 'manual',
      // It would wait for a body that never comes.
      exposeHeadRoute: false,
      schema: {
        tags: ['live'],
        summary: 'Comentarios nuevos según llegan (text/event-stream)',
        params: Type.Object({ id: Type.String() }),
        querystring: Type.Object({
          after: Type.Optional(
            Type.String({
              description: 'Id of the last comment seen; Last-Event-ID wins over it.',
            }),
          ),
        }),
      },
    },
    async (
      request: FastifyRequest<{ Params: { id: string }; Querystring: { after?: string } }>,
      reply,
    ) => {
      const { id } = request.params;
      const newest = await findNewestNumber(db, id);
      if (newest === undefined) throw new Refusal('channel_not_found');
      const seen = reply.sse.lastEventId ?? request.query.after;
      const seenNumber = seen === undefined ? newest : parseCommentCursor(id, seen);

      reply.header('cache-control', 'no-store');
      reply.sse.keepAlive();
      open.add(reply);
      metrics?.liveReaders.inc();
      const isTooMuch = unreadBound(reply.raw);
      // Each message that waits to be sent listens; how many may wait is bounded by their bytes.
      reply.raw.setMaxListeners(0);
      const send = (message: SSEMessage) => {
        if (isTooMuch()) reply.raw.destroy();
        // A reader who is gone is cleaned up by onClose.
        reply.sse.send(message).catch(() => {});
      };
      // The first bytes open the stream at once; without them it waits for the first comment.
      send({ retry: reconnectMs, data: undefined });
      const unfollow = followChannel({ db, live, readComments }, id, seenNumber, {
        comment: (comment) => send({ id: comment.id, event: liveEvents.comment, data: comment }),
        missed: () => send({ event: liveEvents.missed, data: {} }),
        // The reader comes back by itself, and gets what it has not seen.
        failed: (error) => {
          request.log.warn({ err: error }, 'live stream broken off');
          reply.sse.close();
        },
      });
      reply.sse.onClose(() => {
        unfollow();
        open.delete(reply);
        metrics?.liveReaders.dec();
      });
      // It was asked for just before the end.
      if (closing) reply.sse.close();
    },
  );
}
