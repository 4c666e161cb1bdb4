import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import type { Config } from '../config.ts';
import type { PoolCounts } from '../metrics.ts';
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
 * @param onPool is given PostgreSQL's pool, to watch its numbers
 */
export function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  { patient = false, onPool }: { patient?: boolean; onPool?: (pool: PoolCounts) => void } = {},
): Kysely<Tables> {
  if (config.databaseUrl) {
    const pool = openPostgresPool(config.databaseUrl, patient, onPool);
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  }
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: () => Promise.resolve(new NodeSqlite(path.join(config.dataDir, 'tertulia.db'))),
    }),
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
