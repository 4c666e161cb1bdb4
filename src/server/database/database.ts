import { existsSync } from 'node:fs';
import { type Dialect, Kysely, PostgresDialect, SqliteAdapter, SqliteDialect } from 'kysely';
import type { Config } from '../config.ts';
import type { PoolCounts } from '../operations/metrics.ts';
import { NodeSqlite } from './sqlite/node-sqlite.ts';
import { YieldingSqliteDriver } from './sqlite/sqlite-driver.ts';
import { sqliteFile } from './sqlite/sqlite-file.ts';
import type { Tables } from './tables.ts';

interface PoolOptions {
  /** Without time limits on statements. */
  noStatementTimeout?: boolean;
  /** Is told of the pool, to count its connections. */
  onPool?: ((pool: PoolCounts) => void) | undefined;
  /** Is told of the open SQLite file. */
  onSqlite?: ((file: NodeSqlite) => void) | undefined;
}

/**
 * Opens PostgreSQL when there is a URL for it, else SQLite in the data folder.
 */
export function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  options: PoolOptions = {},
): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: dialectFor(config, options) });
}

/** What `openDatabase` speaks to the database by. */
export function dialectFor(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  { noStatementTimeout = false, onPool, onSqlite }: PoolOptions = {},
): Dialect {
  if (databaseUrl === undefined) {
    return sqliteDialect(sqliteFile(dataDir), { onSqlite });
  }
  // Its driver is loaded only by those who have a PostgreSQL.
  const pool = () =>
    import('./postgres/postgres-pool.ts').then(({ openPostgresPool }) =>
      openPostgresPool(databaseUrl, noStatementTimeout, onPool),
    );
  return new PostgresDialect({ pool });
}

/**
 * Opens what is there, beside whoever serves from it, without a change and without time limits.
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

/** Makes the file when there is none. */
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

/** Kysely's, but for waiting for locks, and for migrating. */
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

/** Kysely migrates SQLite without a transaction; SQLite itself takes back changes of tables as well. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}
