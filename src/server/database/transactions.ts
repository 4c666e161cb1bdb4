import { sql } from 'kysely';
import type { PublicChange } from './bus/public-change.ts';
import { classifyStorageError, DatabaseUnavailable } from './errors.ts';
import type { Database } from './tables.ts';

/**
 * Runs work in a transaction: resolves after the commit, and rolls back when work throws. What work announces is
 * published with the commit.
 * DatabaseUnavailable can also mean that the commit succeeded and its acknowledgement was lost.
 * @param lockKey names what work locks, such as `channel <id>`; work under one key runs one after the other
 */
export type WithTransaction = <T>(
  lockKey: string,
  work: (trx: Database, announce: Announce) => Promise<T>,
) => Promise<T>;

/** Announces a change that the transaction makes. Caches and live streams get it if the transaction commits. */
export type Announce = (change: PublicChange) => Promise<void>;

/** A `WithTransaction` that announces nothing. */
export type WithSilentTransaction = <T>(
  lockKey: string,
  work: (trx: Database) => Promise<T>,
) => Promise<T>;

/** Where changes are published. */
export interface Publisher {
  /** Notifies other processes as part of the transaction: delivered only if it commits. */
  announce(trx: Database, change: PublicChange): Promise<void>;
  /** Notifies listeners in this process, after the commit. */
  publish(change: PublicChange): void;
}

/** Calls that may wait in one queue: a few seconds of a busy site's comments. */
const maxWaiting = 500;
/** Transactions per group commit; bounds how long a group blocks reads. */
const maxGroupSize = 100;
/** A group that has run this long admits no further call, such as the indexing of a very long text. */
const maxGroupMs = 20;

interface Waiting {
  work: (trx: Database) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** Whether its group failed as a whole, so that it runs again in a transaction of its own. */
  isAlone?: boolean;
}

/** Applies all changes that the calls of a group have deferred. */
type Apply<Change> = (trx: Database, changes: Change[]) => Promise<void>;

/** Changes deferred to the end of a group, by the group's transaction. */
const deferredChanges = new WeakMap<Database, { changes: unknown[]; apply?: Apply<never> }>();

/**
 * Notifies other processes of what work announces as part of its transaction, and this process after the commit,
 * before the caller goes on.
 */
export function publishing(
  withTransaction: WithSilentTransaction,
  live: Publisher,
): WithTransaction {
  return async (lockKey, work) => {
    let changes: PublicChange[] = [];
    const result = await withTransaction(lockKey, (trx) => {
      // A group that fails runs the work of each call again.
      changes = [];
      return work(trx, async (change) => {
        changes.push(change);
        await live.announce(trx, change);
      });
    });
    for (const change of changes) live.publish(change);
    return result;
  };
}

/**
 * Runs each call in its own transaction, those of one row one after the other, as the row's lock would: eleven writers of
 * a locked channel would take all ten connections, so that nobody could read. PostgreSQL does its own group commit.
 */
export const singleTransactions = (db: Database) => queuedTransactions(db, { isGrouped: false });

/**
 * Group commit for SQLite, which syncs the disk once for each transaction: with 8 writers it stores 2.1 to 2.8 times as
 * many comments a second as with a transaction for each. All calls wait in one queue, and those that arrive in successive
 * turns of the event loop share a transaction: each has its own savepoint to roll back to, and all are acknowledged after
 * the common commit. When a deferred change or the commit fails, each call runs again in its own transaction, so that only
 * the failing call is rejected.
 */
export const groupedTransactions = (db: Database) => queuedTransactions(db, { isGrouped: true });

/** @throws DatabaseUnavailable also when too many wait, or a call failed with it that this one waited for */
function queuedTransactions(
  db: Database,
  { isGrouped }: { isGrouped: boolean },
): WithSilentTransaction {
  /** The calls that wait for those that run, by lock key. */
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
 * Waits for turns of the event loop as long as each brings further calls: SQLite works synchronously, and
 * requests of several connections arrive in successive turns.
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
 * Runs the first calls of a group, as many as fit into `maxGroupMs`. A call alone needs no savepoint: its transaction is its own.
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
 * Applies changes at the end of the group that the transaction belongs to, or at once when there is no group.
 * Those of a call that fails are dropped. If `apply` fails, each call runs again in a transaction of its own.
 * @param apply the same function for all changes; called once for those of a whole group, in their order
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

/** Runs work in this transaction, or in a new one. */
export function inTransaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
