import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Kysely, PostgresDialect, SqliteAdapter, SqliteDialect } from 'kysely';
import type { Config } from '../config.ts';
import { tryFileLock } from './file-lock.ts';
import { NodeSqlite } from './node-sqlite.ts';
import { openPostgresPool } from './postgres-pool.ts';
import { sqliteFile } from './sqlite-file.ts';
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
  if (!config.databaseUrl) return openSqlite(sqliteFile(config.dataDir));
  const pool = openPostgresPool(config.databaseUrl, patient);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Makes the file when there is none. */
export function openSqlite(file: string): Kysely<Tables> {
  const database = () => Promise.resolve(new NodeSqlite(file));
  return new Kysely<Tables>({ dialect: new TransactionalSqliteDialect({ database }) });
}

/** Kysely migrates SQLite without a transaction; SQLite itself takes back changes of tables as well. */
class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter() {
    return new TransactionalSqliteAdapter();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/**
 * Takes the data folder for this process.
 * @throws DataDirInUse @returns a function that gives the folder back.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const unlock = tryFileLock(path.join(dataDir, 'tertulia.lock'));
  if (!unlock) throw new DataDirInUse(dataDir);
  return unlock;
}
