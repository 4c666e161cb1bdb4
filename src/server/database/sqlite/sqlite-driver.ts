import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely';
import { DatabaseUnavailable } from '../errors.ts';
import { isBusy } from '../storage-errors.ts';
import type { NodeSqlite } from './node-sqlite.ts';

/** How long a query waits for another process to let go of the file, and how often it asks. */
const patienceMs = 3000;
const askAgainMs = 25;

/**
 * Waits for a lock without holding anybody up: SQLite's own waiting would stop the whole process,
 * and Kysely's one connection is lent to others meanwhile, since reading needs no lock.
 */
export class YieldingSqliteDriver extends SqliteDriver {
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
    // What writes is locked from its start, so that nothing within it finds the file locked.
    const begin = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk has undone it already; to say so would hide the cause.
    if (this.#isInTransaction()) await super.rollbackTransaction(connection);
  }

  /** @throws DatabaseUnavailable when the file stays locked; what else failed */
  async #execute<R>(connection: DatabaseConnection, query: CompiledQuery) {
    const endMs = performance.now() + patienceMs;
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
      await delay(askAgainMs);
      await super.acquireConnection();
    }
  }
}
