import { commentNumber } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { findNewestNumber } from '../channels/channel-queries.ts';
import type { Database } from '../database/tables.ts';
import type { LiveBus } from './live-bus.ts';
import type { ReadMissed } from './shared-reads.ts';

export interface ChannelFollower {
  /** Whether it takes in what it is told; once it does again, `resume` is to be called. */
  isReady(): boolean;
  comment(comment: Comment): void;
  /** More was written since `seen` than is replayed; what is told next comes after `newest`. */
  missed(newest: number): void;
  failed(error: unknown): void;
}

/**
 * Tells a reader of every comment of a channel from a point on: each once, in order, none left out.
 * Commits may be announced out of order, and some fall before the subscription; because numbers
 * follow commits, whatever lies between the last comment told and the newest is already in the
 * database and is read from there. So is what another process announces, by number alone, and what
 * came while the reader took nothing in.
 * @param seen number of the last comment the reader has
 */
export function followChannel(
  { db, live, readMissed }: { db: Database; live: LiveBus; readMissed: ReadMissed },
  channelId: string,
  seen: number,
  follower: ChannelFollower,
): { resume: () => void; unfollow: () => void } {
  let told = seen;
  let reading = false;
  let readAgain = false;

  const tell = (comment: Comment) => {
    told = numberOf(comment);
    follower.comment(comment);
  };

  const catchUp = async () => {
    readAgain = true;
    if (reading) return;
    reading = true;
    try {
      while (readAgain && follower.isReady()) {
        readAgain = false;
        const comments = await readMissed(channelId, told);
        if (comments) {
          for (const comment of comments) {
            if (!follower.isReady()) break;
            tell(comment);
          }
        } else {
          told = (await findNewestNumber(db, channelId)) ?? told;
          follower.missed(told);
        }
      }
    } catch (error) {
      follower.failed(error);
    } finally {
      reading = false;
    }
  };

  // Subscribed before reading, so that nothing falls between the two.
  const unfollow = live.subscribe(channelId, (news) => {
    // It is read once the reader is ready again.
    if (!follower.isReady()) return;
    if (news !== 'gap') {
      if (news.number <= told) return;
      if (news.comment && news.number === told + 1 && !reading) return tell(news.comment);
    }
    void catchUp();
  });
  const resume = () => void catchUp();
  resume();
  return { resume, unfollow };
}

function numberOf(comment: Comment): number {
  return commentNumber(comment.channelId, comment.id) ?? 0;
}
