import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Words of names, and how far the search index is built, which the next start begins anew. The words of channels are
 * with those of comments. Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  // Compared by bytes on both engines.
  const text = sql.raw(isPostgres ? 'text collate "C"' : 'text');
  await sql`create table account_names (
    word ${text} not null,
    account_id text not null references accounts (id),
    primary key (word, account_id)
  )`.execute(db);
  await sql`create index account_names_by_account_id on account_names (account_id)`.execute(db);
  await sql`alter table search_state rename to old_search_state`.execute(db);
  await sql`create table search_state (
    id integer primary key check (id = 1),
    version integer not null,
    remaining integer
    ${isPostgres ? sql`` : wholeNumbers('id', 'version', 'remaining')}
  )`.execute(db);
  await sql`
    insert into search_state (id, version, remaining) select id, 0, 0 from old_search_state
  `.execute(db);
  await sql`drop table old_search_state`.execute(db);
  if (isPostgres) await sql`alter table search_channels drop column tokens`.execute(db);
  else await sql`drop table search_channels_fts`.execute(db);
  // Existing comments get numbers below those that are written later, also where the former index was not complete.
  if (isPostgres) {
    await sql`truncate search_docs`.execute(db);
    await sql`alter sequence search_docs_doc_seq restart with 1000000000`.execute(db);
    return;
  }
  await sql`delete from search_docs`.execute(db);
  await sql`delete from sqlite_sequence where name = 'search_docs'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values ('search_docs', 999999999)`.execute(db);
}

/** SQLite would store fractions in columns of integers. */
function wholeNumbers(...columns: string[]) {
  const areWhole = columns.map((name) => sql`typeof(${sql.ref(name)}) in ('integer', 'null')`);
  return sql`, check (${sql.join(areWhole, sql` and `)})`;
}
