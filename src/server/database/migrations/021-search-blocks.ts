import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * On PostgreSQL the search index also has the block of each doc, so that a query can be limited to the newest ones. The
 * next start builds the index anew, since a new index of existing rows would hold the start up. Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`truncate search_docs`.execute(db);
  await sql`drop index search_docs_tokens`.execute(db);
  await sql`
    create index search_docs_tokens on search_docs using gin (tokens, (array[doc >> 14]))
  `.execute(db);
  await sql`update search_state set version = 0`.execute(db);
}
