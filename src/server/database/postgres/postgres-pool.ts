import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { DatabaseUnavailable, isReadOnlyError } from '../errors.ts';
import { connectionFailure } from './connection-failure.ts';

// Parse bigint as number, as SQLite does: counts and milliseconds fit a double.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Queries take about a millisecond, so ten connections serve thousands a second. With more, several
 * processes would exhaust PostgreSQL's default limit of one hundred.
 */
const maxConnections = 10;

/** `connect` and `query` together stay below 5 s, the deadline for failing a request. */
export const timeoutsMs = {
  /** Time limit for getting a connection, and again for applying its settings. */
  connect: 1500,
  /**
   * Time after which PostgreSQL cancels a statement that waits for a lock. Shorter than `connect`, so that
   * the statement fails before requests that wait for its connection.
   */
  lock: 1000,
  /** Time after which PostgreSQL cancels a statement. */
  statement: 3000,
  /** Time after which the client no longer waits for a server that is frozen or unreachable. */
  query: 3300,
  /** Time after which PostgreSQL ends a transaction whose process has disappeared. */
  idleInTransaction: 5000,
};

/** Numbers of connections, idle connections and callers that wait for one. */
export type PoolCounts = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

/**
 * Opens a pool for Kysely. Errors that mean the server is unavailable become DatabaseUnavailable.
 * @param noStatementTimeout disables the statement timeouts, for migrations and backups
 * @param onPool called with the pool, for connection metrics
 */
export function openPostgresPool(
  connectionString: string,
  noStatementTimeout = false,
  onPool?: (pool: PoolCounts) => void,
): PostgresPool {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'tertulia',
    max: maxConnections,
    connectionTimeoutMillis: timeoutsMs.connect,
    ...(noStatementTimeout ? {} : { query_timeout: timeoutsMs.query }),
    // PgBouncer refuses these settings as parameters of a connection.
    onConnect: async (client) => {
      const text = serverTimeouts(noStatementTimeout);
      await client.query({ text, query_timeout: timeoutsMs.connect } as pg.QueryConfig);
    },
  });
  const unavailable = (error: unknown) =>
    new DatabaseUnavailable(error, connectionFailure(error, connectionString));
  onPool?.(pool);
  // A broken connection fails its query and is replaced. Without a listener its error event would
  // end the process: the pool emits it for idle connections, the client between two statements.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    connect: async () => {
      // An invalid URL throws synchronously.
      const connecting = Promise.try(() => pool.connect());
      const client = await connecting.catch((error: unknown) => {
        throw unavailable(error);
      });
      // A read-only connection is closed: it belongs to a standby, or predates the end of read-only mode.
      let isReadOnly = false;
      const query = async (sql: string, parameters: readonly unknown[]) => {
        try {
          return await client.query(sql, [...parameters]);
        } catch (error) {
          isReadOnly ||= isReadOnlyError(error);
          // `detail` contains the rejected row, which must not appear in a log or terminal.
          if (error instanceof pg.DatabaseError) error.detail = undefined;
          if (!meansUnavailable(error)) throw error;
          // Close the connection: an unanswered query blocks it, and a rollback would queue behind the query.
          if (!(error instanceof pg.DatabaseError)) void client.end().catch(() => {});
          throw unavailable(error);
        }
      };
      // Kysely's type also covers cursors, which are not used here.
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: () => client.release(isReadOnly),
      };
    },
    end: () => pool.end(),
  };
}

/** SQL that sets the time limits of a connection, or disables them regardless of the server's defaults. */
function serverTimeouts(noTimeouts: boolean): string {
  const { lock, statement, idleInTransaction } = timeoutsMs;
  return Object.entries({
    lock_timeout: lock,
    statement_timeout: statement,
    idle_in_transaction_session_timeout: idleInTransaction,
  })
    .map(([name, ms]) => `set ${name} = ${noTimeouts ? 0 : ms}`)
    .join('; ');
}

/**
 * Classes 08 and 57P (connection lost, shutting down), 53300 (full), 57014 (took too long), 55P03
 * (locked for too long), 40P01 (deadlock).
 */
const unavailableStates = /^(08...|57P..|53300|57014|55P03|40P01)$/;

/** An error without a SQLSTATE does not come from the server: the connection failed or timed out. */
function meansUnavailable(error: unknown): boolean {
  return error instanceof pg.DatabaseError ? unavailableStates.test(error.code ?? '') : true;
}
