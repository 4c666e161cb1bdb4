import { commentNumber } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { LiveCounts } from '../../../shared/live.ts';
import type { LiveBus } from '../bus/live-bus.ts';
import type { ChangeEvent, Position } from './missed-changes.ts';
import type { ReadMissed } from './shared-reads.ts';

/** Retries of a failed read, a second apart, such as while PostgreSQL restarts. */
const mostRetries = 5;
const retryMs = 1000;

/** Receives the comments and changes of a channel, each with the position after it. */
export interface ChannelFollower {
  /** Whether it can receive; call `resume` when it can again. */
  isReady(): boolean;
  comment(comment: Comment, at: Position): void;
  change(event: ChangeEvent, at: Position): void;
  /** Called after changes that were sent together. */
  counts(counts: LiveCounts, at: Position): void;
  /**
   * More happened than is replayed; later events follow `at`.
   * @param changes whether comments that the follower has may have changed
   */
  missed(at: Position, changes: boolean): void;
  failed(error: unknown): void;
}

/**
 * Sends a follower every comment of a channel after a position: each once, in order, without gaps. Of
 * earlier comments it sends those that changed, in their current state; several changes of one comment may
 * become one.
 *
 * Commits may be announced out of order or before the subscription. Numbers follow the order of commits, so
 * all comments between the last one sent and the newest are in the database and are read from there. The
 * same holds for comments that another process announces by number, for comments that arrive while the
 * follower is not ready, and for all changes.
 * @param seen the follower's position
 */
export function followChannel(
  { live, readMissed }: { live: LiveBus; readMissed: ReadMissed },
  channelId: string,
  seen: Position,
  follower: ChannelFollower,
): { resume: () => void; unfollow: () => void } {
  let at = seen;
  let reading = false;
  let readAgain = false;
  let retries = 0;
  let isFollowing = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = (comment: Comment) => {
    at = { ...at, number: commentNumber(channelId, comment.id) ?? at.number };
    follower.comment(comment, at);
  };

  const sendMissed = async () => {
    const missed = await readMissed(channelId, at);
    // The channel was hidden or deleted.
    if (!missed) return follower.missed(at, true);
    if ('skippedTo' in missed) {
      const changes = missed.skippedTo.changeNumber > at.changeNumber;
      at = missed.skippedTo;
      follower.missed(at, changes);
      // After missed changes, readers fetch the channel.
      if (!changes) follower.counts(missed.counts, at);
      return;
    }
    for (const event of missed.changes) {
      if (!follower.isReady()) return;
      // Use the position before the change: if the connection breaks now, it is sent again with the counts.
      at = { ...at, changeNumber: event.changeNumber - 1 };
      follower.change(event, at);
    }
    if (missed.counts) {
      if (!follower.isReady()) return;
      at = { ...at, changeNumber: missed.counts.changeNumber };
      follower.counts(missed.counts, at);
    }
    for (const comment of missed.comments) {
      if (!follower.isReady()) return;
      send(comment);
    }
  };

  const catchUp = async () => {
    readAgain = true;
    if (reading) return;
    reading = true;
    try {
      while (readAgain && follower.isReady()) {
        readAgain = false;
        await sendMissed();
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

  // Subscribe before reading, so that nothing is lost between the two.
  const unsubscribe = live.subscribe(channelId, (message) => {
    // Skipped changes are read from the database in `resume`.
    if (!follower.isReady()) return;
    if (message !== 'gap' && message.kind === 'comment') {
      const { number, comment } = message;
      if (number <= at.number) return;
      if (comment && number === at.number + 1 && !reading) return send(comment);
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
