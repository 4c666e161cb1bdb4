import path from 'node:path';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
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
  if (config.databaseUrl) {
    const url = config.databaseUrl;
    // Its driver is loaded only by those who have a PostgreSQL.
    const pool = () =>
      import('./postgres-pool.ts').then(({ openPostgresPool }) => openPostgresPool(url, patient));
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  }
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: () => Promise.resolve(new NodeSqlite(path.join(config.dataDir, 'tertulia.db'))),
    }),
  });
}
