import pLimit from 'p-limit';
import type { Position, readMissed } from './missed-changes.ts';

/** Limits of the missed changes that a live stream replays; beyond any of them it sends `missed` instead. */
export const replayLimits = {
  /** Recorded changes, of which several may concern one comment. */
  rows: 1000,
  /** Changed or new comments. */
  comments: 100,
  /** Bytes of the events, as sent. */
  bytes: 256 * 1024,
};

/** Reads the changes of a channel since a position (`readMissed` with the limits above). */
export type ReadMissed = (channelId: string, from: Position) => ReturnType<typeof readMissed>;

/** Few at once, so that many reconnecting readers do not use up connections and memory. */
const maxConcurrentReads = 4;

/** A query that has not started, and for each of its readers whether it is still connected. */
interface Query {
  result: ReturnType<ReadMissed>;
  readers: (() => boolean)[];
}

/**
 * Shares one query among readers with the same arguments: a change, or a comment written by another process,
 * makes all readers of the channel query it at once. A query is shared only until it starts, so that its
 * result is never older than the request.
 * @returns a function like `read`, whose result never settles when all its readers have left
 */
export function shareReads(
  read: ReadMissed,
): (...args: [...Parameters<ReadMissed>, isWaiting: () => boolean]) => ReturnType<ReadMissed> {
  const queries = new Map<string, Query>();
  const limit = pLimit(maxConcurrentReads);
  return (channelId, from, isWaiting) => {
    const key = `${channelId} ${from.number} ${from.changeNumber}`;
    const known = queries.get(key);
    known?.readers.push(isWaiting);
    if (known) return known.result;
    const readers = [isWaiting];
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<ReadMissed>>>();
    queries.set(key, { result: promise, readers });
    void limit(async () => {
      queries.delete(key);
      if (!readers.some((isStillWaiting) => isStillWaiting())) return;
      const result = read(channelId, from);
      resolve(result);
      await result.catch(() => {});
    });
    return promise;
  };
}
