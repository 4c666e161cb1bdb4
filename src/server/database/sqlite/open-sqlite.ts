import { Kysely, type LogConfig } from 'kysely';
import type { Database, Tables, Views } from '../tables.ts';
import { NodeSqlite } from './node-sqlite.ts';
import { sqliteDialect } from './sqlite-driver.ts';

/** Opens an SQLite file. Creates a missing one unless `readOnly`. */
export function openSqlite(
  file: string,
  { readOnly, log = [] }: { readOnly?: boolean; log?: LogConfig } = {},
): Database {
  const dialect = sqliteDialect(() => new NodeSqlite(file, readOnly));
  return new Kysely<Tables & Views>({ dialect, log });
}
