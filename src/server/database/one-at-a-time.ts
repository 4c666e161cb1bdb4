import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from './tables.ts';

/** Any number that nothing else on the database takes as an advisory lock. */
const housekeepingLock = 7_320_114;

/**
 * Does the work unless another process is at it. The lock belongs to a connection, so PostgreSQL
 * lets go of it however the process ends. An SQLite file has one process anyway.
 * @returns undefined when another process is at it
 */
export async function unlessUnderWay<T>(
  { db, config }: { db: Database; config: Pick<Config, 'databaseUrl'> },
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (!config.databaseUrl) return work();
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_lock(${housekeepingLock}::bigint) as mine
    `.execute(connection);
    if (!rows[0]?.mine) return undefined;
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${housekeepingLock}::bigint)`.execute(connection);
    }
  });
}
