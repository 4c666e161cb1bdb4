import { sql } from 'kysely';
import type { Engine } from '../engine-type.ts';
import { isReadOnlyError, ReadOnlyDatabase } from '../errors.ts';
import { singleTransactions } from '../transactions.ts';
import { lockKeys, tryAdvisoryLock, withMigrationLock, withoutRestore } from './advisory-lock.ts';
import { findDoubts } from './database-doubts.ts';
import { fillPostgres, isServed } from './fill-postgres.ts';
import { listenerName, notifyTopic } from './notify.ts';
import { openPostgres, withUnlimited } from './open-postgres.ts';
import { readVersion, requireVersion } from './server-version.ts';
import { streamRows } from './stream-rows.ts';

/** PostgreSQL, which several processes may serve; each has a connection pool and a listening connection. */
export const postgres: Engine = {
  isFile: false,

  open: openPostgres,
  openToRead: (settings) => openPostgres(settings, { noStatementTimeout: true }),
  inspect: () => {},
  claim: () => () => {},
  isServed: (_settings, db) => isServed(db),
  withoutRestore: (settings, work, onWait) =>
    withUnlimited(settings, (db) => withoutRestore(db, work, onWait)),
  // A restore is one transaction, so its writes are invisible until it commits.
  isRestoring: () => false,
  fillEmpty: (settings, steps) => withUnlimited(settings, (db) => fillPostgres(db, steps)),

  version: async (db) => `PostgreSQL ${await readVersion(db)}`,
  requireVersion,
  findDoubts,
  requireWritable: async (db) => {
    try {
      // A read-only PostgreSQL rejects this statement, although it locks no row.
      await sql`select from site where false for update`.execute(db);
    } catch (error) {
      throw isReadOnlyError(error) ? new ReadOnlyDatabase(error) : error;
    }
  },
  size: async (db) => {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database()) as bytes
    `.execute(db);
    return rows[0]?.bytes ?? 0;
  },
  tableNames: async (db) => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = any(current_schemas(false))
    `.execute(db);
    return rows.map(({ name }) => name);
  },

  // A migration, or waiting for another process's migration, may exceed the statement timeout.
  whileMigrating: (settings, _db, work) =>
    withUnlimited(settings, (db) => withMigrationLock(db, () => work(db))),
  lockMigrations: async (trx) => {
    await sql`select pg_advisory_xact_lock(${lockKeys.schema}::bigint)`.execute(trx);
  },
  // Without statistics PostgreSQL chooses slow plans until autovacuum gathers them.
  analyze: async (trx) => {
    await sql`analyze`.execute(trx);
  },
  eraseFormerRows: async (db, tables) => {
    // Without `full`, the bytes of former versions stay in the pages.
    for (const table of tables) await sql`vacuum full ${sql.table(table)}`.execute(db);
  },
  continueIds: async (trx, table, last) => {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last} + 1, false)`.execute(
      trx,
    );
  },

  transactions: singleTransactions,
  waitForLocks: async (trx, ms) => {
    await sql`select set_config('lock_timeout', ${String(ms)}, true)`.execute(trx);
  },
  commitLazily: async (trx) => {
    await sql`set local synchronous_commit = off`.execute(trx);
  },
  tryWithLock: ({ db }, name, work) => tryAdvisoryLock(db, name, work),
  notify: notifyTopic,
  listen: async ({ databaseUrl = '' }, db, { onGap, ...listener }) => {
    // The pg driver is loaded only when PostgreSQL is configured.
    const { ListenClient } = await import('./listen-client.ts');
    return new ListenClient(databaseUrl, {
      name: listenerName,
      notify: (topic, payload) => notifyTopic(db, topic, [payload]),
      onListening: onGap,
      ...listener,
    });
  },

  stream: streamRows,
  // The database's default collation may be linguistic.
  byBytes: (column) => sql`${sql.ref(column)} collate "C"`,
  givenTexts: (texts) =>
    sql`json_array_elements_text(${JSON.stringify(texts)}::json) as given (value)`,
};
