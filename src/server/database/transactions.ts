import { sql } from 'kysely';
import { DatabaseUnavailable } from './errors.ts';
import { rowQueues } from './postgres/row-queue.ts';
import type { Database } from './tables.ts';

/**
 * Runs work in a transaction: resolves after the commit, and rolls back when work throws.
 * DatabaseUnavailable can also mean that the commit succeeded and its acknowledgement was lost.
 * @param row names the contended row that work locks, such as `channel <id>`
 */
export type Transact = <T>(row: string, work: (trx: Database) => Promise<T>) => Promise<T>;

/** Transactions per group commit; bounds how long a group blocks reads. */
const maxGroupSize = 100;

interface Waiting {
  work: (trx: Database) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** One transaction for each call. PostgreSQL runs them concurrently and does its own group commit. */
export function singleTransactions(db: Database): Transact {
  const queued = rowQueues();
  return (row, work) => queued(row, () => db.transaction().execute(work));
}

/**
 * Group commit for SQLite, which syncs the disk once for each transaction. Calls that arrive in the
 * same iteration of the event loop share a transaction: each has its own savepoint to roll back to,
 * and all are acknowledged after the common commit.
 */
export function groupedTransactions(db: Database): Transact {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      // SQLite calls are synchronous: let pending requests join before the group blocks the loop.
      await new Promise(setImmediate);
      const group = waiting.splice(0, maxGroupSize);
      try {
        const settle = await db.transaction().execute((trx) => runAll(trx, group));
        for (const each of settle) each();
      } catch (error) {
        // Fail the queued calls too: each group would wait just as long for the same lock.
        const lost = error instanceof DatabaseUnavailable ? waiting.splice(0) : [];
        for (const { reject } of [...group, ...lost]) reject(error);
      }
    }
    isWriting = false;
  }

  return <T>(_row: string, work: (trx: Database) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Waiting['resolve'], reject });
      if (isWriting) return;
      isWriting = true;
      void write();
    });
}

/** @returns callbacks that settle each call, to run after the commit. */
async function runAll(trx: Database, group: Waiting[]): Promise<(() => void)[]> {
  const settle: (() => void)[] = [];
  for (const { work, resolve, reject } of group) {
    await sql`savepoint one`.execute(trx);
    try {
      const value = await work(trx);
      settle.push(() => resolve(value));
    } catch (error) {
      // A full disk has already rolled back the whole transaction: report the original error.
      await sql`rollback to one`.execute(trx).catch(() => {
        throw error;
      });
      settle.push(() => reject(error));
    }
    await sql`release one`.execute(trx);
  }
  return settle;
}
