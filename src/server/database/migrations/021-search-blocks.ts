import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * On PostgreSQL the search index also has the block of each doc, so that a query can be limited to the newest ones. The
 * docs of channels get the numbers of the channels. The next start builds the index anew. Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update search_state set version = 0`.execute(db);
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  // Creating the index of existing rows would hold up the start.
  await sql`truncate search_docs`.execute(db);
  await sql`drop index search_docs_tokens`.execute(db);
  await sql`
    create index search_docs_tokens on search_docs using gin ((array[doc >> 14]), tokens)
  `.execute(db);
}
