import { unavailableError } from '../../http/api-error.ts';
import { FairSemaphore } from '../../overload/fair-semaphore.ts';
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

/** Low, so that many reconnecting readers do not use up connections and memory. */
const maxConcurrentReads = 4;
/** Addresses in whose turns a query can start; thousands of readers may wait for one. */
const maxTurns = 8;

interface Reader {
  /** An `addressKey`. */
  address: string;
  /** Whether the reader is still connected: no query runs for readers that have left. */
  isWaiting: () => boolean;
}

/** A query that has not started. */
interface Query {
  result: PromiseWithResolvers<Awaited<ReturnType<ReadMissed>>>;
  readers: Reader['isWaiting'][];
  addresses: Set<string>;
}

/**
 * Shares one query among readers with the same arguments: a change, or a comment written by another process,
 * makes all readers of the channel query it at once. A query is shared only until it starts, so that its
 * result is never older than the request. Addresses take turns, since one client may ask for thousands of
 * positions; a shared query starts in the first turn of any of its addresses.
 * @returns a function like `read`, whose result never settles when all its readers have left
 */
export function shareReads(
  read: ReadMissed,
): (...args: [...Parameters<ReadMissed>, reader: Reader]) => ReturnType<ReadMissed> {
  const queries = new Map<string, Query>();
  const slots = new FairSemaphore(maxConcurrentReads, Number.POSITIVE_INFINITY, unavailableError);
  return (channelId, from, { address, isWaiting }) => {
    const key = `${channelId} ${from.number} ${from.changeNumber}`;
    const known = queries.get(key);
    // A query that all readers had left may no longer be in the queue.
    const query = known && isNeeded(known) ? known : newQuery();
    queries.set(key, query);
    query.readers.push(isWaiting);
    const { promise, resolve } = query.result;
    if (query.addresses.has(address) || query.addresses.size === maxTurns) return promise;
    query.addresses.add(address);
    const isNext = () => queries.get(key) === query;
    const start = () => {
      // The query may have started in the turn of another address.
      if (!isNext()) return;
      queries.delete(key);
      resolve(read(channelId, from));
      return promise;
    };
    const left = () => {
      if (isNext()) queries.delete(key);
    };
    slots.run(address, start, { isNeeded: () => isNext() && isNeeded(query) }).catch(left);
    return promise;
  };
}

function newQuery(): Query {
  return { result: Promise.withResolvers(), readers: [], addresses: new Set() };
}

function isNeeded({ readers }: Query): boolean {
  return readers.some((isWaiting) => isWaiting());
}
