import { sql } from 'kysely';
import { isPostgres } from './is-postgres.ts';
import type { Database } from './tables.ts';

/** Whether the database has a table of this name. Kysely's introspection would read every column of every table. */
export async function hasTable(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean | number }>`select ${
    isPostgres(db)
      ? sql`to_regclass(${name}) is not null`
      : sql`exists (select 1 from sqlite_schema where type = 'table' and name = ${name})`
  } as found`.execute(db);
  return Boolean(rows[0]?.found);
}
