import { fastifySSE } from '@fastify/sse';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { commentNumber } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import { liveEvents } from '../../shared/live.ts';
import { apiRoutes } from '../../shared/routes.ts';
import { channelExists } from '../channels/channel-queries.ts';
import { listComments } from '../comments/comment-queries.ts';
import { parseCommentCursor } from '../database/cursors.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { App } from '../http/app-type.ts';

/** Shorter than the idle time-outs of common proxies. */
const heartbeatMs = 20_000;

export async function liveRoutes(app: App, { db, live }: Deps): Promise<void> {
  await app.register(fastifySSE, { heartbeatInterval: heartbeatMs });
  const open = new Set<FastifyReply>();
  // Streams have no end of their own; closing the server would wait for them forever.
  app.addHook('preClose', async () => {
    for (const reply of open) reply.sse.close();
  });

  app.get(
    apiRoutes.channelLive(':id'),
    {
      sse: 'only',
      schema: {
        tags: ['live'],
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
      const channelId = request.params.id;
      if (!(await channelExists(db, channelId))) throw new Refusal('channel_not_found');
      const seen = reply.sse.lastEventId ?? request.query.after;
      let lastSent = seen === undefined ? undefined : parseCommentCursor(channelId, seen);

      // Subscribed before the missed ones are read, so that nothing falls between the two; what
      // comes meanwhile waits its turn.
      let waiting: Comment[] | undefined = [];
      const send = (comment: Comment) => {
        const number = commentNumber(channelId, comment.id) ?? 0;
        if (lastSent !== undefined && number <= lastSent) return;
        lastSent = number;
        // A reader who is gone is cleaned up by onClose.
        reply.sse
          .send({ id: comment.id, event: liveEvents.comment, data: comment })
          .catch(() => {});
      };
      const unsubscribe = live.subscribe(channelId, (comment) => {
        if (waiting) waiting.push(comment);
        else send(comment);
      });
      open.add(reply);
      reply.sse.onClose(() => {
        unsubscribe();
        open.delete(reply);
      });

      reply.header('cache-control', 'no-store');
      reply.sse.keepAlive();
      reply.sse.sendHeaders();
      if (lastSent !== undefined) {
        const missed = await listComments(db, channelId, {
          limit: limits.liveReplayComments,
          afterNumber: lastSent,
        });
        if (missed.next === null) missed.data.forEach(send);
        else await reply.sse.send({ event: liveEvents.missed, data: {} });
      }
      const arrived = waiting;
      waiting = undefined;
      arrived.forEach(send);
    },
  );
}
