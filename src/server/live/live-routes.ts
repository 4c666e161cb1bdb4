import Type from 'typebox';
import type { Comment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import { liveEvents } from '../../shared/live.ts';
import { apiRoutes } from '../../shared/routes.ts';
import { findNewestNumber } from '../channels/channel-queries.ts';
import { listComments } from '../comments/comment-queries.ts';
import { parseCommentCursor } from '../database/cursors.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { App } from '../http/app-type.ts';
import { EventStreams, formatEvent, sendEvent } from './event-streams.ts';
import { followChannel } from './follow-channel.ts';
import { shareReads } from './shared-reads.ts';

const missed = formatEvent(liveEvents.missed, {});

export function liveRoutes(app: App, deps: Deps): void {
  const { db, live, metrics } = deps;
  const readComments = shareReads((channelId, afterNumber) =>
    listComments(db, channelId, { limit: limits.liveReplayComments, afterNumber }),
  );
  const streams = new EventStreams();
  app.addHook('preClose', async () => streams.close());

  /** Written out once for all who are told of it. */
  const events = new WeakMap<Comment, Buffer>();
  const eventOf = (comment: Comment) => {
    const event = events.get(comment) ?? formatEvent(liveEvents.comment, comment, comment.id);
    events.set(comment, event);
    return event;
  };

  app.get(
    apiRoutes.channelLive(':id'),
    {
      // It would wait for a body that never comes.
      exposeHeadRoute: false,
      config: { takesConnection: true },
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
    async (request, reply) => {
      const { id } = request.params;
      const newest = await findNewestNumber(db, id);
      if (newest === undefined) throw new Refusal('channel_not_found');
      const lastEventId = request.headers['last-event-id'];
      const seen = lastEventId ? String(lastEventId) : request.query.after;
      const seenNumber = seen === undefined ? newest : parseCommentCursor(id, seen);

      metrics?.liveReaders.inc();
      const stream = streams.open(reply.header('cache-control', 'no-store'), () => {
        unfollow();
        metrics?.liveReaders.dec();
      });
      const unfollow = followChannel({ db, live, readComments }, id, seenNumber, {
        comment: (comment) => sendEvent(stream, eventOf(comment)),
        missed: () => sendEvent(stream, missed),
        // The reader comes back by itself, and gets what it has not seen.
        failed: (error) => {
          app.log.warn({ err: error }, 'live stream broken off');
          stream.end();
        },
      });
    },
  );
}
