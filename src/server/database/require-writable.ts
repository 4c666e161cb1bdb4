import { sql } from 'kysely';
import { isReadOnlyError, ReadOnlyDatabase } from './errors.ts';
import { isPostgres } from './is-postgres.ts';
import type { Database } from './tables.ts';

/**
 * Checks that the database responds and, with PostgreSQL, that it takes writes, without writing.
 * @throws ReadOnlyDatabase, DatabaseUnavailable
 */
export async function requireWritable(db: Database): Promise<void> {
  if (!isPostgres(db)) {
    await sql`select 1`.execute(db);
    return;
  }
  try {
    // PostgreSQL rejects this statement where it rejects writes, although the statement locks nothing.
    await sql`select from site where false for update`.execute(db);
  } catch (error) {
    throw isReadOnlyError(error) ? new ReadOnlyDatabase(error) : error;
  }
}
