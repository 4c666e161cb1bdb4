import { Kysely, PostgresDialect } from 'kysely';
import type { DatabaseSettings } from '../../system/settings/config.ts';
import type { OpenOptions } from '../engine-type.ts';
import type { Database, Tables, Views } from '../tables.ts';

export function openPostgres(
  { databaseUrl = '' }: DatabaseSettings,
  { noStatementTimeout, onPool, log = [] }: OpenOptions = {},
): Database {
  // The pg driver is loaded only when PostgreSQL is configured.
  const pool = () =>
    import('./postgres-pool.ts').then(({ openPostgresPool }) =>
      openPostgresPool(databaseUrl, noStatementTimeout, onPool),
    );
  return new Kysely<Tables & Views>({ dialect: new PostgresDialect({ pool }), log });
}

/** Runs work with its own pool, without statement timeouts. */
export async function withUnlimited<T>(
  settings: DatabaseSettings,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = openPostgres(settings, { noStatementTimeout: true });
  return work(db).finally(() => db.destroy());
}
