import pLimit from 'p-limit';
import type { Comment } from '../../shared/comments.ts';

/** What a live stream replays of missed comments; beyond either, it sends `missed` instead. */
export const replayLimits = {
  comments: 100,
  /** Bytes of the events, as sent. */
  bytes: 256 * 1024,
};

/**
 * Reads the comments of a channel with numbers above `afterNumber`; undefined when there are more
 * than are replayed.
 */
export type ReadMissed = (channelId: string, afterNumber: number) => Promise<Comment[] | undefined>;

/** Low, so that many reconnecting readers do not use up connections and memory. */
const maxConcurrentReads = 4;

/**
 * Shares one query among readers with the same arguments: a comment written by another process makes
 * all readers of the channel query it at once. A result is shared only until its query starts, so it
 * is never older than the request for it.
 */
export function shareReads(read: ReadMissed): ReadMissed {
  const waiting = new Map<string, ReturnType<ReadMissed>>();
  const limit = pLimit(maxConcurrentReads);
  return (channelId, afterNumber) => {
    const key = `${channelId} ${afterNumber}`;
    const pending = waiting.get(key);
    if (pending) return pending;
    const result = limit(() => {
      waiting.delete(key);
      return read(channelId, afterNumber);
    });
    waiting.set(key, result);
    return result;
  };
}
