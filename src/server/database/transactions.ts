import { sql } from 'kysely';
import { DatabaseUnavailable } from './errors.ts';
import { rowQueues } from './postgres/row-queue.ts';
import type { Database } from './tables.ts';

/**
 * Runs work in a transaction: what it returns is in the database then, what it throws undoes it.
 * DatabaseUnavailable can also mean that it was committed and the answer was lost.
 * @param row names the row that the work locks and that many may write at once, as `channel <id>`
 */
export type Transact = <T>(row: string, work: (trx: Database) => Promise<T>) => Promise<T>;

/** Bounds how long one group keeps readers waiting. */
const longestGroup = 100;

interface Waiting {
  work: (trx: Database) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Each its own: PostgreSQL runs them side by side, and syncs those that commit together at once. */
export function singleTransactions(db: Database): Transact {
  const inTurn = rowQueues();
  return (row, work) => inTurn(row, () => db.transaction().execute(work));
}

/**
 * SQLite writes one transaction after another and syncs the disk for each. Work that has come in
 * with the same turn of the event loop shares one: each is undone alone, and acknowledged when all
 * are on disk.
 */
export function groupedTransactions(db: Database): Transact {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      // SQLite does not yield: whoever is at the door comes in now or waits for a whole group.
      await new Promise(setImmediate);
      const group = waiting.splice(0, longestGroup);
      try {
        const settle = await db.transaction().execute((trx) => runAll(trx, group));
        for (const each of settle) each();
      } catch (error) {
        // Whoever came while this group waited for a lock would wait as long again, and so on.
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

/** @returns what tells each its outcome, once that is on disk. */
async function runAll(trx: Database, group: Waiting[]): Promise<(() => void)[]> {
  const settle: (() => void)[] = [];
  for (const { work, resolve, reject } of group) {
    await sql`savepoint one`.execute(trx);
    try {
      const value = await work(trx);
      settle.push(() => resolve(value));
    } catch (error) {
      // A full disk ends the whole transaction; then this is what there is to say.
      await sql`rollback to one`.execute(trx).catch(() => {
        throw error;
      });
      settle.push(() => reject(error));
    }
    await sql`release one`.execute(trx);
  }
  return settle;
}
