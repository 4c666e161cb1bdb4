import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
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
  if (config.databaseUrl) {
    const pool = openPostgresPool(config.databaseUrl, patient);
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  }
  return openSqlite(config.dataDir);
}

/**
 * Opens what is there, beside whoever serves from it, without a change and without time limits.
 * @returns undefined when there is no SQLite file
 */
export function openToRead(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Kysely<Tables> | undefined {
  if (config.databaseUrl) return openDatabase(config, true);
  return existsSync(sqliteFile(config.dataDir)) ? openSqlite(config.dataDir, true) : undefined;
}

const sqliteFile = (dataDir: string) => path.join(dataDir, 'tertulia.db');

function openSqlite(dataDir: string, readOnly = false): Kysely<Tables> {
  const open = () => Promise.resolve(new NodeSqlite(sqliteFile(dataDir), readOnly));
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: open }) });
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
