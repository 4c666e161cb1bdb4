import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { PoolCounts } from '../../operations/metrics.ts';
import { DatabaseUnavailable } from '../errors.ts';

// Counts and milliseconds fit a double; strings would differ from SQLite's numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Queries here take a millisecond or so, so ten connections carry thousands a second; more of them
 * in each process would use up the hundred that a PostgreSQL has by default.
 */
const maxConnections = 10;

/**
 * For a connection and its answer together below 5 s: whoever waits is told by then that the database
 * does not answer.
 */
const timesMs = {
  /** Until a connection is free or made. */
  connect: 1500,
  /** Until PostgreSQL gives up a statement that waits for a lock: sooner than others give up waiting
   * for the connection that it holds. */
  lock: 1000,
  /** Until PostgreSQL itself gives a statement up. */
  statement: 3000,
  /** Until nothing more is expected of a server that has frozen or gone without a word. */
  answer: 3300,
  /** Until a transaction whose process has vanished without a word lets go of its rows. */
  idleInTransaction: 5000,
};

/**
 * Connections for Kysely. Whatever says that the server is not there becomes DatabaseUnavailable.
 * @param noStatementTimeout without time limits on statements: for migrations, which may take long and wait
 * for one another
 * @param onPool is given the pool, to watch its numbers
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
    connectionTimeoutMillis: timesMs.connect,
    ...(noStatementTimeout
      ? {}
      : {
          lock_timeout: timesMs.lock,
          statement_timeout: timesMs.statement,
          query_timeout: timesMs.answer,
          idle_in_transaction_session_timeout: timesMs.idleInTransaction,
        }),
  });
  onPool?.(pool);
  // A connection that breaks fails its query and is replaced; unheard, it would end the process,
  // whether it breaks while idle (the pool's event) or between two statements (the client's own).
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw new DatabaseUnavailable(error);
      });
      const query = async (sql: string, parameters: readonly unknown[]) => {
        try {
          return await client.query(sql, [...parameters]);
        } catch (error) {
          if (!meansUnavailable(error)) throw error;
          // A query without an answer still holds its connection, and a rollback would queue
          // behind it: give both up.
          if (!(error instanceof pg.DatabaseError)) void client.end().catch(() => {});
          throw new DatabaseUnavailable(error);
        }
      };
      // Kysely's type speaks of cursors too, which nobody here uses.
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: () => client.release(),
      };
    },
    end: () => pool.end(),
  };
}

/**
 * Classes 08 and 57P (connection lost, shutting down), 53300 (full), 57014 (took too long), 55P03
 * (locked for too long), 40P01 (deadlock).
 */
const unavailableStates = /^(08...|57P..|53300|57014|55P03|40P01)$/;

/** What has no SQLSTATE was not said by the server: the connection failed or fell silent. */
function meansUnavailable(error: unknown): boolean {
  return error instanceof pg.DatabaseError ? unavailableStates.test(error.code ?? '') : true;
}
