import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { MoveRefused } from './move-refused.ts';
import { isPostgres } from './table-rows.ts';

/**
 * A server's listening connection gives it away. An SQLite file has its own lock.
 * @throws MoveRefused when a server uses this PostgreSQL database
 */
export async function requireNotServed(target: Database): Promise<void> {
  if (!isPostgres(target)) return;
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'tertulia live'`.execute(target);
  if (rows.length > 0) {
    throw new MoveRefused('A tertulia is serving from the target’s database. Stop it first.');
  }
}
