import { PostgresAdapter } from 'kysely';
import type { DatabaseSettings } from '../system/settings/config.ts';
import type { Engine, OpenOptions } from './engine-type.ts';
import { postgres } from './postgres/postgres.ts';
import { sqlite } from './sqlite/sqlite.ts';
import type { Database } from './tables.ts';

/** Returns the choice for the database's engine. */
export function byEngine<T>(db: Database, choices: { sqlite: T; postgres: T }): T {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  return isPostgres ? choices.postgres : choices.sqlite;
}

export const engineOf = (db: Database): Engine => byEngine(db, { sqlite, postgres });

/** The engine that the settings name: PostgreSQL when there is a `databaseUrl`, otherwise SQLite in the data folder. */
export const engineNamed = ({ databaseUrl }: DatabaseSettings): Engine =>
  databaseUrl === undefined ? sqlite : postgres;

export const openDatabase = (settings: DatabaseSettings, options?: OpenOptions): Database =>
  engineNamed(settings).open(settings, options);

export const openToRead = (settings: DatabaseSettings): Database | undefined =>
  engineNamed(settings).openToRead(settings);
