import { PostgresAdapter } from 'kysely';
import type { Database } from './tables.ts';

/** Whether the database is PostgreSQL; otherwise it is SQLite. */
export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
