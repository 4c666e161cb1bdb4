import path from 'node:path';
import { type Dialect, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import type { Config } from '../config.ts';
import { NodeSqlite } from './node-sqlite.ts';
import type { Tables } from './tables.ts';

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
  if (databaseUrl === undefined) {
    const file = path.join(dataDir, 'tertulia.db');
    return new SqliteDialect({ database: () => Promise.resolve(new NodeSqlite(file)) });
  }
  // Its driver is loaded only by those who have a PostgreSQL.
  const pool = () =>
    import('./postgres-pool.ts').then(({ openPostgresPool }) =>
      openPostgresPool(databaseUrl, patient),
    );
  return new PostgresDialect({ pool });
}
