import { existsSync } from 'node:fs';
import { type Dialect, Kysely, PostgresDialect, SqliteAdapter, SqliteDialect } from 'kysely';
import type { Config } from '../config.ts';
import type { PoolCounts } from './postgres/postgres-pool.ts';
import { NodeSqlite, sqliteFile } from './sqlite/node-sqlite.ts';
import { YieldingSqliteDriver } from './sqlite/sqlite-driver.ts';
import type { Tables } from './tables.ts';

interface PoolOptions {
  /** Disables the time limits on PostgreSQL statements. */
  noStatementTimeout?: boolean;
  /** Called with the PostgreSQL pool, for connection metrics. */
  onPool?: ((pool: PoolCounts) => void) | undefined;
  /** Called with the SQLite connection once it is open. */
  onSqlite?: ((file: NodeSqlite) => void) | undefined;
}

/** Opens PostgreSQL when `databaseUrl` is set, otherwise SQLite in the data folder. */
export function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  options: PoolOptions = {},
): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: dialectFor(config, options) });
}

/** The Kysely dialect that `openDatabase` uses. */
export function dialectFor(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  { noStatementTimeout = false, onPool, onSqlite }: PoolOptions = {},
): Dialect {
  if (databaseUrl === undefined) {
    return sqliteDialect(sqliteFile(dataDir), { onSqlite });
  }
  // The pg driver is loaded only when PostgreSQL is configured.
  const pool = () =>
    import('./postgres/postgres-pool.ts').then(({ openPostgresPool }) =>
      openPostgresPool(databaseUrl, noStatementTimeout, onPool),
    );
  return new PostgresDialect({ pool });
}

/**
 * Opens an existing database for reading, also while a server uses it, without statement timeouts.
 * @returns undefined when there is no SQLite file
 */
export function openToRead(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Kysely<Tables> | undefined {
  if (config.databaseUrl) return openDatabase(config, { noStatementTimeout: true });
  const file = sqliteFile(config.dataDir);
  return existsSync(file)
    ? new Kysely<Tables>({ dialect: sqliteDialect(file, { readOnly: true }) })
    : undefined;
}

/** Opens an SQLite file, and creates it when it does not exist. */
export function openSqlite(file: string): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: sqliteDialect(file) });
}

function sqliteDialect(
  file: string,
  { readOnly = false, onSqlite }: Pick<PoolOptions, 'onSqlite'> & { readOnly?: boolean } = {},
): Dialect {
  return new NodeSqliteDialect(() => {
    const sqlite = new NodeSqlite(file, readOnly);
    onSqlite?.(sqlite);
    return sqlite;
  });
}

/** Kysely's SQLite dialect with our lock waiting and with transactional migrations. */
class NodeSqliteDialect extends SqliteDialect {
  readonly #driver: () => YieldingSqliteDriver;

  constructor(open: () => NodeSqlite) {
    super({ database: async () => open() });
    this.#driver = () => new YieldingSqliteDriver(open);
  }

  override createDriver() {
    return this.#driver();
  }

  override createAdapter() {
    return new TransactionalSqliteAdapter();
  }
}

/** Makes Kysely migrate within a transaction: SQLite can roll back schema changes. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}
