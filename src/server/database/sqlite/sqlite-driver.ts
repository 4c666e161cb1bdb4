import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type LimitNode,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
  ValueNode,
} from 'kysely';
import { DatabaseUnavailable, isBusy } from '../errors.ts';
import type { NodeSqlite } from './node-sqlite.ts';

/** How long a query waits while another process locks the file, and the interval of its retries. Tests shorten it. */
export const lockWaitMs = { longest: 3000, retry: 25 };

export function sqliteDialect(open: () => NodeSqlite): Dialect {
  return {
    createDriver: () => new YieldingSqliteDriver(open),
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new Compiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/**
 * Omits row locks, because a transaction locks the whole file. Writes limits as literals, because SQLite prepares a
 * statement again on each use if its limit is a parameter.
 */
class Compiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    if (ValueNode.is(limit) && Number.isInteger(limit.value)) this.append(`limit ${limit.value}`);
    else super.visitLimit(node);
  }

  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier?.startsWith('For')) super.visitSelectModifier(node);
  }
}

/**
 * Waits for a locked file without blocking: SQLite's own waiting would block the event loop. While a
 * query waits it releases Kysely's only connection, so that reads, which need no lock, continue.
 */
class YieldingSqliteDriver extends SqliteDriver {
  readonly #isInTransaction: () => boolean;

  constructor(open: () => NodeSqlite) {
    let database: NodeSqlite | undefined;
    super({
      database: async () => {
        database = open();
        return database;
      },
    });
    this.#isInTransaction = () => database?.isTransaction ?? false;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: <R>(query: CompiledQuery) => this.#execute<R>(connection, query),
      streamQuery: <R>(query: CompiledQuery) => connection.streamQuery<R>(query),
    };
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    // Take the write lock at the start, so that no later statement can find the file locked.
    const begin = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk has already rolled back; a second rollback would fail and hide that error.
    if (this.#isInTransaction()) await super.rollbackTransaction(connection);
  }

  /** @throws DatabaseUnavailable when the file stays locked */
  async #execute<R>(connection: DatabaseConnection, query: CompiledQuery) {
    const endMs = performance.now() + lockWaitMs.longest;
    for (;;) {
      try {
        return await connection.executeQuery<R>(query);
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (this.#isInTransaction() || performance.now() > endMs) {
          throw new DatabaseUnavailable(error);
        }
      }
      await this.releaseConnection();
      await delay(lockWaitMs.retry);
      await super.acquireConnection();
    }
  }
}
