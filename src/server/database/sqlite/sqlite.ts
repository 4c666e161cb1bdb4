import { existsSync } from 'node:fs';
import { type SelectQueryBuilder, sql } from 'kysely';
import { sqliteFile } from '../../system/settings/data-dir.ts';
import type { Engine } from '../engine-type.ts';
import type { Database } from '../tables.ts';
import { groupedTransactions } from '../transactions.ts';
import { isInUse, lockDataDir, tryFileLock } from './file-lock.ts';
import { fillSqlite, isFilling } from './fill-sqlite.ts';
import { listenToOthers } from './foreign-writes.ts';
import { inspectSqlite } from './inspect-sqlite.ts';
import { openSqlite } from './open-sqlite.ts';

/** SQLite in a file of the data folder, which one process serves with one connection. */
export const sqlite: Engine = {
  isFile: true,

  open: ({ dataDir }, { log } = {}) => openSqlite(sqliteFile(dataDir), log && { log }),
  openToRead: ({ dataDir }) => {
    const file = sqliteFile(dataDir);
    return existsSync(file) ? openSqlite(file, { readOnly: true }) : undefined;
  },
  inspect: ({ dataDir }) => inspectSqlite(dataDir),
  claim: ({ dataDir }) => lockDataDir(dataDir),
  isServed: async ({ dataDir }) => isInUse(dataDir),
  // A restore holds the lock of the data folder.
  withoutRestore: (_settings, work) => work(),
  isRestoring: ({ dataDir }) => isFilling(dataDir),
  fillEmpty: ({ dataDir }, steps) => fillSqlite(dataDir, steps),

  version: async (db) => {
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db);
    return `SQLite ${rows[0]?.version ?? ''}`;
  },
  // Node contains SQLite, so its version is known to be recent enough.
  requireVersion: async () => {},
  findDoubts: async () => [],
  requireWritable: async (db) => {
    await sql`select 1`.execute(db);
  },
  size: async (db) => {
    const { rows } = await sql<{ bytes: number }>`
      select page_count * page_size as bytes from pragma_page_count, pragma_page_size
    `.execute(db);
    return rows[0]?.bytes ?? 0;
  },
  tableNames: async (db) => {
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table'
    `.execute(db);
    return rows.map(({ name }) => name);
  },

  // There are no time limits, and no other process uses the file.
  whileMigrating: (_settings, db, work) => work(db),
  // The transaction has already locked the file.
  lockMigrations: async () => {},
  analyze: async () => {},
  // They are in the write-ahead log only.
  eraseFormerRows: async (db) => {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  },
  continueIds: async (trx, table, last) => {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(trx);
    await sql`insert into sqlite_sequence (name, seq) select ${table}, ${last}`.execute(trx);
  },

  transactions: groupedTransactions,
  // The only lock is the file's, and the driver waits for it before the transaction begins.
  waitForLocks: async () => {},
  commitLazily: async () => {},
  tryWithLock: async ({ config: { dataDir } }, name, work) => {
    const unlock = tryFileLock(dataDir, `${name}.lock`);
    return unlock && work(async () => {}).finally(unlock);
  },
  // Other processes notice that the file was written.
  notify: async () => {},
  listen: async ({ dataDir }, db, { onGap }) => {
    onGap();
    return listenToOthers(db, sqliteFile(dataDir), onGap);
  },

  stream: async function* <DB, Table extends keyof DB, Row>(
    _db: Database,
    query: SelectQueryBuilder<DB, Table, Row>,
  ) {
    for await (const row of query.stream()) yield [row];
  },
  byBytes: (column) => sql.ref(column),
  givenTexts: (texts) => sql`json_each(${JSON.stringify(texts)})`,
};
