import { sql } from 'kysely';
import type { PublicChange } from './bus/public-change.ts';
import { classifyStorageError, DatabaseUnavailable } from './errors.ts';
import type { Database } from './tables.ts';

/**
 * Runs work in a transaction: resolves after the commit, and rolls back when work throws. Changes that work announces
 * are published after the commit.
 * DatabaseUnavailable can also mean that the commit succeeded and its acknowledgement was lost.
 * @param lockKey names the row that most calls wait for among those that work locks, such as `channel <id>`. Calls with
 * the same key run one after another
 */
export type WithTransaction = <T>(
  lockKey: string,
  work: (trx: Database, announce: Announce) => Promise<T>,
) => Promise<T>;

/** Announces a change made by the transaction. Caches and live streams receive it if the transaction commits. */
export type Announce = (change: PublicChange) => Promise<void>;

/** A `WithTransaction` without announcements. */
export type WithSilentTransaction = <T>(
  lockKey: string,
  work: (trx: Database) => Promise<T>,
) => Promise<T>;

/** Publishes changes to other processes and to this one. */
export interface Publisher {
  /** Notifies other processes as part of the transaction: delivered only if it commits. */
  announce(trx: Database, changes: PublicChange[]): Promise<void>;
  /** Notifies listeners in this process, after the commit. */
  publish(change: PublicChange): void;
}

/** Maximum length of a queue: everybody votes at once, which takes a few seconds. */
const maxWaiting = 2500;
/** Calls per group commit; bounds how long a group blocks reads. */
const maxGroupSize = 100;
/** No further call joins a group that has run this long, so that one long write does not delay many. */
const maxGroupMs = 20;

interface Waiting {
  work: (trx: Database) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** Whether its group failed as a whole, so that it is repeated in a transaction of its own. */
  isAlone?: boolean;
}

/** Applies all changes that the calls of a group have deferred. */
type Apply<Change> = (trx: Database, changes: Change[]) => Promise<void>;

/** Changes deferred to the end of a group, by the group's transaction. */
const deferredChanges = new WeakMap<Database, { changes: unknown[]; apply?: Apply<never> }>();

/**
 * Notifies other processes of announced changes as part of the transaction, and this process after the commit, before
 * the call resolves.
 */
export function publishing(
  withTransaction: WithSilentTransaction,
  live: Publisher,
): WithTransaction {
  return async (lockKey, work) => {
    let changes: PublicChange[] = [];
    const result = await withTransaction(lockKey, async (trx) => {
      // If a group fails, the work of each call is repeated.
      changes = [];
      const value = await work(trx, async (change) => {
        changes.push(change);
      });
      if (changes.length > 0) await live.announce(trx, changes);
      return value;
    });
    for (const change of changes) live.publish(change);
    return result;
  };
}

/**
 * Runs each call in its own transaction; calls with the same key wait here instead of for the row's lock, where ten
 * writers to one channel would occupy all ten connections and block all reads. PostgreSQL does its own group commit.
 */
export const singleTransactions = (db: Database) => queuedTransactions(db, { isGrouped: false });

/**
 * Group commit for SQLite, which syncs the disk once per transaction: with 8 writers, 2.1 to 2.8 times as many comments
 * a second are stored as with one transaction per comment. All calls wait in one queue. Calls that arrive in successive
 * turns of the event loop share a transaction: each has its own savepoint to roll back to, and all are acknowledged after
 * the shared commit. When a deferred change or the commit fails, each call is repeated in its own transaction, so that
 * only the failing call is rejected.
 */
export const groupedTransactions = (db: Database) => queuedTransactions(db, { isGrouped: true });

/** @throws DatabaseUnavailable also when the queue is full, or when an earlier call in the queue failed with it */
function queuedTransactions(
  db: Database,
  { isGrouped }: { isGrouped: boolean },
): WithSilentTransaction {
  /** Waiting calls by lock key. A key is present while calls with it wait or run. */
  const queues = new Map<string, Waiting[]>();

  async function write(lockKey: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      if (isGrouped) await untilNoneJoins(queue);
      const group = queue.splice(0, isGrouped && !queue[0]?.isAlone ? maxGroupSize : 1);
      try {
        const settle = await db.transaction().execute((trx) => runFirst(trx, group));
        queue.unshift(...group.slice(settle.length));
        for (const each of settle) each();
      } catch (error) {
        if (group.length > 1 && !classifyStorageError(error) && !isUnavailable(error)) {
          queue.unshift(...group.map((each) => ({ ...each, isAlone: true })));
          continue;
        }
        // Fail the queued calls too, because each would wait just as long for the same lock.
        const lost = isUnavailable(error) ? queue.splice(0) : [];
        for (const { reject } of [...group, ...lost]) reject(error);
      }
    }
    queues.delete(lockKey);
  }

  return <T>(contendedKey: string, work: (trx: Database) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const lockKey = isGrouped ? '' : contendedKey;
      const call = { work, resolve: resolve as Waiting['resolve'], reject };
      const queue = queues.get(lockKey);
      if (queue && queue.length >= maxWaiting) {
        reject(new DatabaseUnavailable(new Error('too many writers wait for one row')));
      } else if (queue) {
        queue.push(call);
      } else {
        const first = [call];
        queues.set(lockKey, first);
        void write(lockKey, first);
      }
    });
}

/**
 * Waits for turns of the event loop as long as each adds calls: SQLite works synchronously, and requests of
 * several connections arrive in successive turns.
 */
async function untilNoneJoins(queue: Waiting[]): Promise<void> {
  let before: number;
  do {
    before = queue.length;
    await new Promise(setImmediate);
  } while (queue.length > before && queue.length < maxGroupSize);
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailable;
}

/**
 * Runs the first calls of a group, as many as fit into `maxGroupMs`. A single call needs no savepoint.
 * @returns callbacks that settle these calls, to run after the commit
 */
async function runFirst(trx: Database, group: Waiting[]): Promise<(() => void)[]> {
  const [only] = group;
  if (only && group.length === 1) {
    const value = await only.work(trx);
    return [() => only.resolve(value)];
  }
  const settle: (() => void)[] = [];
  const deferred: { changes: unknown[]; apply?: Apply<never> } = { changes: [] };
  const { changes } = deferred;
  deferredChanges.set(trx, deferred);
  const endMs = performance.now() + maxGroupMs;
  for (const { work, resolve, reject } of group) {
    if (settle.length > 0 && performance.now() > endMs) break;
    await sql`savepoint one`.execute(trx);
    const deferredBefore = changes.length;
    try {
      const value = await work(trx);
      settle.push(() => resolve(value));
    } catch (error) {
      // A full disk has already rolled back the whole transaction: report the original error.
      await sql`rollback to one`.execute(trx).catch(() => {
        throw error;
      });
      changes.length = deferredBefore;
      settle.push(() => reject(error));
    }
    await sql`release one`.execute(trx);
  }
  deferredChanges.delete(trx);
  if (changes.length > 0) await deferred.apply?.(trx, changes as never[]);
  return settle;
}

/**
 * Applies changes at the end of the transaction's group, or at once when there is no group. Changes by calls that
 * fail are discarded. If `apply` fails, each call is repeated in a transaction of its own.
 * @param apply the same function in all calls; called once per group, with all changes in order
 */
export async function atGroupEnd<Change>(
  trx: Database,
  apply: Apply<Change>,
  changes: Change[],
): Promise<void> {
  const group = deferredChanges.get(trx);
  if (!group) return apply(trx, changes);
  group.changes.push(...changes);
  group.apply = apply;
}

/** Runs work in this transaction, or in a new one if `db` is not a transaction. */
export function inTransaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
