import { commentNumber } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { findNewestNumber } from '../channels/channel-queries.ts';
import type { Deps } from '../deps.ts';
import type { ReadComments } from './shared-reads.ts';

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
 * database and is read from there. So is what another process announces, by number alone.
 * @param seen number of the last comment the reader has
 * @returns a function that ends it
 */
export function followChannel(
  { db, live, readComments }: Pick<Deps, 'db' | 'live'> & { readComments: ReadComments },
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
        const { data, next } = await readComments(channelId, told);
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
  const unsubscribe = live.subscribe(channelId, (news) => {
    if (news !== 'gap') {
      if (news.number <= told) return;
      if (news.comment && news.number === told + 1 && !reading) return tell(news.comment);
    }
    void readMissing();
  });
  void readMissing();
  return unsubscribe;
}

function numberOf(comment: Comment): number {
  return commentNumber(comment.channelId, comment.id) ?? 0;
}
