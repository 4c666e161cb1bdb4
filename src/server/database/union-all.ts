import { type Compilable, sql } from 'kysely';
import type { Database } from './tables.ts';

/** Runs several queries as one. Each may have its own limit. */
export async function unionAll<Row>(db: Database, queries: Compilable<Row>[]): Promise<Row[]> {
  if (queries.length === 0) return [];
  const parts = queries.map((query) => sql`select * from ${query} as part`);
  const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}
