import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import type { Database } from '../tables.ts';
import { tryFileLock } from './file-lock.ts';

/** Arbitrary PostgreSQL advisory lock keys. */
const lockKeys = {
  housekeeping: 7_320_114,
  migration: 7_320_115,
  search: 7_320_116,
  restore: 7_320_117,
};
const retryMs = 500;

interface Place {
  db: Database;
  config: Pick<Config, 'databaseUrl' | 'dataDir'>;
}

/**
 * Confirms that the lock is still held. Call it before each step that two processes must not run at
 * once. @throws LockLost
 */
export type ConfirmLock = () => Promise<void>;

/** The connection that held the lock was lost, so another process may hold the lock now. */
export class LockLost extends Error {
  constructor(cause: unknown) {
    super('The connection that held the lock was lost: the work was given up.', { cause });
  }
}

/**
 * Runs work under a lock that one process at a time holds: `housekeeping` excludes sweeping images and
 * backing them up from each other, `search` is for building the search index. With PostgreSQL it is an
 * advisory lock, released when its connection ends; with SQLite, a lock on a file in the data folder.
 * @returns undefined, without running work, when the lock is held elsewhere
 */
export async function tryWithLock<T>(
  { db, config }: Place,
  work: (confirmLock: ConfirmLock) => Promise<T>,
  name: 'housekeeping' | 'search' = 'housekeeping',
): Promise<T | undefined> {
  const key = lockKeys[name];
  if (!config.databaseUrl) {
    const unlock = tryFileLock(config.dataDir, `${name}.lock`);
    return unlock && work(async () => {}).finally(unlock);
  }
  return inTransaction(db, async (connection) => {
    const { rows } = await sql<{ acquired: boolean }>`
      select pg_try_advisory_xact_lock(${key}::bigint) as acquired
    `.execute(connection);
    if (!rows[0]?.acquired) return undefined;
    return work(async () => {
      await sql`select 1`.execute(connection).catch((error: unknown) => {
        throw new LockLost(error);
      });
    });
  });
}

/** Like `tryWithLock`, but waits for the lock. */
export async function withLock<T extends object | string>(
  place: Place,
  work: (confirmLock: ConfirmLock) => Promise<T>,
): Promise<T> {
  for (;;) {
    const result = await tryWithLock(place, work);
    if (result !== undefined) return result;
    await wait(retryMs);
  }
}

/** Runs work under PostgreSQL's migration lock. @param db without statement timeouts */
export async function withMigrationLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return inTransaction(db, async (connection) => {
    await sql`select pg_advisory_xact_lock(${lockKeys.migration}::bigint)`.execute(connection);
    return work();
  });
}

/**
 * Runs the start of a server, until it listens, while no restore begins on the same PostgreSQL.
 * @param db without statement timeouts @param onWait called when a restore has begun and is waited for
 */
export async function withoutRestore<T>(
  db: Database,
  work: () => Promise<T>,
  onWait: () => void,
): Promise<T> {
  const { restore } = lockKeys;
  return inTransaction(db, async (connection) => {
    const { rows } = await sql<{ acquired: boolean }>`
      select pg_try_advisory_xact_lock_shared(${restore}::bigint) as acquired
    `.execute(connection);
    if (!rows[0]?.acquired) {
      onWait();
      await sql`select pg_advisory_xact_lock_shared(${restore}::bigint)`.execute(connection);
    }
    return work();
  });
}

/**
 * Takes, until the end of a transaction of PostgreSQL, the locks that starts and migrations hold. The
 * transaction that fills the database holds them itself: losing its connection undoes its work.
 * @returns false when a start, a migration or another restore holds one
 */
export async function tryRestoreLocks(trx: Database): Promise<boolean> {
  const { restore, migration } = lockKeys;
  await withoutTimeouts(trx);
  const { rows } = await sql<{ restoring: boolean; migrating: boolean }>`
    select pg_try_advisory_xact_lock(${restore}::bigint) as restoring,
      pg_try_advisory_xact_lock(${migration}::bigint) as migrating
  `.execute(trx);
  return rows[0]?.restoring === true && rows[0].migrating;
}

/** Lets a transaction take as long as it takes. `transaction_timeout` exists since PostgreSQL 17. */
async function withoutTimeouts(trx: Database): Promise<void> {
  await sql`
    select set_config(name, '0', true) from pg_settings
    where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')
  `.execute(trx);
}

/**
 * Runs work while a connection has an open transaction, in which nothing is written. A lock of the
 * transaction is held behind any pool: PgBouncer in transaction mode gives each transaction another
 * connection, and would not release a lock of the connection.
 */
async function inTransaction<T>(
  db: Database,
  work: (connection: Database) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      await withoutTimeouts(connection);
      return await work(connection);
    } finally {
      // A lost connection has already released its locks.
      await sql`rollback`.execute(connection).catch(() => {});
    }
  });
}
