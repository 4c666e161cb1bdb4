import { commentNumber } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import { findNewestNumber } from '../channels/channel-queries.ts';
import { listComments } from '../comments/comment-queries.ts';
import type { Deps } from '../deps.ts';

export interface ChannelFollower {
  comment(comment: Comment): void;
  /** More was written since `seen` than is replayed. */
  missed(): void;
  failed(error: unknown): void;
}

/**
 * Tells a reader of every comment of a channel from a point on: each once, in order, none left out.
 * Commits may be announced out of order, and some fall before the subscription; because numbers
 * follow commits, whatever lies between the last comment told and the newest is already in the
 * database and is read from there.
 * @param seen number of the last comment the reader has
 * @returns a function that ends it
 */
export function followChannel(
  { db, live }: Pick<Deps, 'db' | 'live'>,
  channelId: string,
  seen: number,
  follower: ChannelFollower,
): () => void {
  let told = seen;
  let reading = false;
  let readAgain = false;

  const tell = (comment: Comment) => {
    told = numberOf(comment);
    follower.comment(comment);
  };

  const readMissing = async () => {
    readAgain = true;
    if (reading) return;
    reading = true;
    try {
      while (readAgain) {
        readAgain = false;
        const { data, next } = await listComments(db, channelId, {
          limit: limits.liveReplayComments,
          afterNumber: told,
        });
        if (next === null) {
          data.forEach(tell);
        } else {
          follower.missed();
          told = (await findNewestNumber(db, channelId)) ?? told;
        }
      }
    } catch (error) {
      follower.failed(error);
    } finally {
      reading = false;
    }
  };

  // Subscribed before reading, so that nothing falls between the two.
  const unsubscribe = live.subscribe(channelId, (comment) => {
    if (numberOf(comment) <= told) return;
    if (numberOf(comment) === told + 1 && !reading) tell(comment);
    else void readMissing();
  });
  void readMissing();
  return unsubscribe;
}

function numberOf(comment: Comment): number {
  return commentNumber(comment.channelId, comment.id) ?? 0;
}
