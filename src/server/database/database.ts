import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Dialect, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import type { Config } from '../config.ts';
import { NodeSqlite } from './node-sqlite.ts';
import { openPostgresPool } from './postgres-pool.ts';
import type { Tables } from './tables.ts';

/** Another process serves from this data folder. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another tertulia is already serving the data in ${dataDir}. Stop it, or set DATA_DIR.`);
  }
}

/**
 * Opens PostgreSQL when there is a URL for it, else SQLite in the data folder.
 * @param patient without time limits on statements
 */
export function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  patient = false,
): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: dialectFor(config, patient) });
}

/** What `openDatabase` speaks to the database by. */
export function dialectFor(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  patient = false,
): Dialect {
  return databaseUrl
    ? new PostgresDialect({ pool: openPostgresPool(databaseUrl, patient) })
    : new SqliteDialect({
        database: () => Promise.resolve(new NodeSqlite(path.join(dataDir, 'tertulia.db'))),
      });
}

/**
 * Takes the data folder for this process. The lock is SQLite's own on a file of its own: the system
 * lets go of it however the process ends, so that nothing stale is ever left behind.
 * @throws DataDirInUse @returns a function that gives the folder back.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const lock = new DatabaseSync(path.join(dataDir, 'tertulia.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const busy = 5; // SQLITE_BUSY
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) {
      throw new DataDirInUse(dataDir);
    }
    throw error;
  }
  return () => lock.close();
}
