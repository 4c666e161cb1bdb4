import { sql } from 'kysely';
import type { ConfirmLock, LockName } from '../engine-type.ts';
import type { Database } from '../tables.ts';

/**
 * PostgreSQL advisory lock keys, arbitrary numbers; other keys are hashes of ids. `migration` is held during a migration
 * and the copy before it, `schema` by the transaction that migrates, on another connection.
 */
export const lockKeys = {
  housekeeping: 7_320_114,
  migration: 7_320_115,
  search: 7_320_116,
  restore: 7_320_117,
  mail: 7_320_118,
  schema: 7_320_119,
  alerts: 7_320_120,
  news: 7_320_121,
  import: 7_320_122,
};

/** The connection that held the lock was lost, so another process may hold the lock now. */
export class LockLost extends Error {
  constructor(cause: unknown) {
    super('The connection that held the lock was lost: the work was given up.', { cause });
  }
}

/** Runs work under an advisory lock, which ends with its connection. @returns undefined when the lock is taken */
export async function tryAdvisoryLock<T>(
  db: Database,
  name: LockName,
  work: (confirmLock: ConfirmLock) => Promise<T>,
): Promise<T | undefined> {
  return withOpenTransaction(db, async (connection) => {
    const { rows } = await sql<{ acquired: boolean }>`
      select pg_try_advisory_xact_lock(${lockKeys[name]}::bigint) as acquired
    `.execute(connection);
    if (!rows[0]?.acquired) return undefined;
    return work(async () => {
      await sql`select 1`.execute(connection).catch((error: unknown) => {
        throw new LockLost(error);
      });
    });
  });
}

/** Runs work under the migration lock, after waiting for it. @param db without statement timeouts */
export async function withMigrationLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return withOpenTransaction(db, async (connection) => {
    await sql`select pg_advisory_xact_lock(${lockKeys.migration}::bigint)`.execute(connection);
    return work();
  });
}

/**
 * Runs the start of a server, during which no restore can run on the same PostgreSQL.
 * @param db without statement timeouts @param onWait called when the start has to wait for a restore
 */
export async function withoutRestore<T>(
  db: Database,
  work: () => Promise<T>,
  onWait: () => void,
): Promise<T> {
  const { restore } = lockKeys;
  return withOpenTransaction(db, async (connection) => {
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
 * Takes the locks of starts and migrations until the end of a PostgreSQL transaction. The transaction that
 * fills the database holds them itself, so that losing the connection also rolls back its work.
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

/** Removes the transaction's time limits. `transaction_timeout` exists since PostgreSQL 17. */
async function withoutTimeouts(trx: Database): Promise<void> {
  await sql`
    select set_config(name, '0', true) from pg_settings
    where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')
  `.execute(trx);
}

/**
 * Runs work while a connection has an open, empty transaction. A transaction-level lock also works behind
 * PgBouncer in transaction mode, which gives each transaction another connection and would not release a
 * session-level lock.
 */
async function withOpenTransaction<T>(
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
