import { existsSync } from 'node:fs';
import { Kysely, type LogConfig, PostgresDialect } from 'kysely';
import type { Config } from '../config/config.ts';
import { sqliteFile } from '../config/data-dir.ts';
import type { PoolCounts } from './postgres/postgres-pool.ts';
import { NodeSqlite } from './sqlite/node-sqlite.ts';
import { sqliteDialect } from './sqlite/sqlite-driver.ts';
import type { Database, Tables, Views } from './tables.ts';

type Location = Pick<Config, 'databaseUrl' | 'dataDir'>;

interface SqliteOptions {
  /** Called with the SQLite connection once it is open. */
  onSqlite?: (file: NodeSqlite) => void;
  log?: LogConfig;
}

interface Options extends SqliteOptions {
  /** Disables the time limits on PostgreSQL statements. */
  noStatementTimeout?: boolean;
  /** Called with the PostgreSQL pool, for connection metrics. */
  onPool?: ((pool: PoolCounts) => void) | undefined;
}

/** Opens PostgreSQL when `databaseUrl` is set, otherwise SQLite in the data folder. */
export function openDatabase({ databaseUrl, dataDir }: Location, options: Options = {}): Database {
  if (databaseUrl === undefined) return openSqlite(sqliteFile(dataDir), options);
  const { noStatementTimeout, onPool, log = [] } = options;
  // The pg driver is loaded only when PostgreSQL is configured.
  const pool = () =>
    import('./postgres/postgres-pool.ts').then(({ openPostgresPool }) =>
      openPostgresPool(databaseUrl, noStatementTimeout, onPool),
    );
  return new Kysely<Tables & Views>({ dialect: new PostgresDialect({ pool }), log });
}

/**
 * Opens an existing database for reading, also while a server uses it, without statement timeouts.
 * @returns undefined when there is no SQLite file
 */
export function openToRead(config: Location): Database | undefined {
  if (config.databaseUrl) return openDatabase(config, { noStatementTimeout: true });
  const file = sqliteFile(config.dataDir);
  return existsSync(file) ? openSqlite(file, { readOnly: true }) : undefined;
}

/** Opens an SQLite file, and creates it when it does not exist unless it is opened read-only. */
export function openSqlite(
  file: string,
  { readOnly, onSqlite, log = [] }: SqliteOptions & { readOnly?: boolean } = {},
): Database {
  const open = () => {
    const sqlite = new NodeSqlite(file, readOnly);
    onSqlite?.(sqlite);
    return sqlite;
  };
  return new Kysely<Tables & Views>({ dialect: sqliteDialect(open), log });
}
