import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * On PostgreSQL the search index also has the block of each doc, so that a query can be limited to the newest ones. The
 * next start builds the index anew, since creating it for existing rows would hold up the start. Each query reads the whole
 * list of words that are not in the index yet, so the list has the least size, in KiB. Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`truncate search_docs`.execute(db);
  await sql`drop index search_docs_tokens`.execute(db);
  await sql`
    create index search_docs_tokens on search_docs using gin ((array[doc >> 14]), tokens)
    with (gin_pending_list_limit = 64)
  `.execute(db);
}
