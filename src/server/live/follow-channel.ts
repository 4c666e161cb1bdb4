import { commentNumber } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { findNewestNumber } from '../comments/comment-queries.ts';
import type { Database } from '../database/tables.ts';
import type { LiveBus } from '../live-bus/live-bus.ts';
import type { ReadMissed } from './shared-reads.ts';

export interface ChannelFollower {
  /** Whether it can receive comments; call `resume` when it can again. */
  isReady(): boolean;
  comment(comment: Comment): void;
  /** More comments were written than are replayed; the next one sent comes after `newest`. */
  missed(newest: number): void;
  failed(error: unknown): void;
}

/** A read that fails, such as while PostgreSQL restarts, is tried again this often, a second apart. */
const mostRetries = 5;
const retryMs = 1000;

/**
 * Sends a follower every comment of a channel from a number on: each once, in order, without gaps.
 * Commits may be announced out of order or before the subscription. Numbers follow the order of
 * commits, so all comments between the last one sent and the newest are in the database and are read
 * from there. The same holds for comments that another process announces by number, and for those
 * that arrive while the follower is not ready.
 * @param seen number of the last comment that the follower has
 */
export function followChannel(
  { db, live, readMissed }: { db: Database; live: LiveBus; readMissed: ReadMissed },
  channelId: string,
  seen: number,
  follower: ChannelFollower,
): { resume: () => void; unfollow: () => void } {
  let sent = seen;
  let reading = false;
  let readAgain = false;
  let retries = 0;
  let isFollowing = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = (comment: Comment) => {
    sent = commentNumber(channelId, comment.id) ?? sent;
    follower.comment(comment);
  };

  const catchUp = async () => {
    readAgain = true;
    if (reading) return;
    reading = true;
    try {
      while (readAgain && follower.isReady()) {
        readAgain = false;
        const comments = await readMissed(channelId, sent);
        if (comments) {
          for (const comment of comments) {
            if (!follower.isReady()) break;
            send(comment);
          }
        } else {
          sent = (await findNewestNumber(db, channelId)) ?? sent;
          follower.missed(sent);
        }
      }
      retries = 0;
    } catch (error) {
      retries += 1;
      if (retries > mostRetries) follower.failed(error);
      else if (isFollowing) timer = setTimeout(resume, retryMs);
    } finally {
      reading = false;
    }
  };

  // Subscribe before reading, so that no comment is lost between the two.
  const unsubscribe = live.subscribe(channelId, (news) => {
    // Skipped comments are read from the database in `resume`.
    if (!follower.isReady()) return;
    if (news !== 'gap') {
      if (news.number <= sent) return;
      if (news.comment && news.number === sent + 1 && !reading) return send(news.comment);
    }
    void catchUp();
  });
  const resume = () => void catchUp();
  resume();
  const unfollow = () => {
    isFollowing = false;
    clearTimeout(timer);
    unsubscribe();
  };
  return { resume, unfollow };
}
