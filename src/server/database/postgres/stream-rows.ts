import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';

/** Rows per fetch from a cursor. */
const batchRows = 500;

/** Streams the rows of a query with a cursor. */
export async function* streamRows<DB, Table extends keyof DB, Row>(
  db: Database,
  query: SelectQueryBuilder<DB, Table, Row>,
): AsyncGenerator<Row[]> {
  await sql`declare streamed_rows no scroll cursor for ${query}`.execute(db);
  const fetch = () => sql<Row>`fetch ${sql.lit(batchRows)} from streamed_rows`.execute(db);
  for (let next = fetch(), isLast = false; !isLast; ) {
    const { rows } = await next;
    isLast = rows.length < batchRows;
    if (!isLast) {
      // PostgreSQL reads the next rows while the caller works on these.
      next = fetch();
      // If the caller stops early, nobody awaits them, and a failure must not be an unhandled rejection.
      next.catch(() => {});
    }
    yield rows;
  }
  await sql`close streamed_rows`.execute(db);
}
