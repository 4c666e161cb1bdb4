import { sql } from 'kysely';
import { isPostgres } from '../database/is-postgres.ts';
import type { Database } from '../database/tables.ts';

/** Size of the whole database with its indexes, which a copy of its rows hardly exceeds. */
export async function databaseBytes(db: Database): Promise<number> {
  const size = isPostgres(db)
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count, pragma_page_size
      `;
  const { rows } = await size.execute(db);
  return rows[0]?.bytes ?? 0;
}
