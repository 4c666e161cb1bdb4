import type { Position, readMissed } from '../../comments/missed-changes.ts';
import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { unavailableError } from '../../http/api-error.ts';

/** What a live stream replays of what a reader missed; beyond any, it sends `missed` instead. */
export const replayLimits = {
  /** Recorded changes, of which several may concern one comment. */
  rows: 1000,
  /** Changed or new. */
  comments: 100,
  /** Bytes of the events, as sent. */
  bytes: 256 * 1024,
};

/** Reads what happened in a channel since a position (`readMissed` with the limits above). */
export type ReadMissed = (channelId: string, from: Position) => ReturnType<typeof readMissed>;

/** Low, so that many reconnecting readers do not use up connections and memory. */
const maxConcurrentReads = 4;

/**
 * Shares one query among readers with the same arguments: a change, or a comment written by another
 * process, makes all readers of the channel query it at once. A result is shared only until its query starts, so it
 * is never older than the request for it.
 */
export function shareReads(read: ReadMissed): ReadMissed {
  const waiting = new Map<string, ReturnType<ReadMissed>>();
  const slots = new FairSemaphore(maxConcurrentReads, Number.POSITIVE_INFINITY, unavailableError);
  return (channelId, from) => {
    const key = `${channelId} ${from.number} ${from.changeNumber}`;
    const pending = waiting.get(key);
    if (pending) return pending;
    const result = slots.run(channelId, () => {
      waiting.delete(key);
      return read(channelId, from);
    });
    waiting.set(key, result);
    return result;
  };
}
