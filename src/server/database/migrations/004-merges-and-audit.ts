import { type Kysely, PostgresAdapter, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  // SQLite would store fractions in columns of whole numbers.
  const whole = sql.raw(isPostgres ? '' : `check (typeof("merge_at_ms") = 'integer')`);
  await sql`
    alter table search_state add column merge_at_ms bigint not null default 0 ${whole}
  `.execute(db);
  await sql`create index audit_log_by_actor on audit_log (actor, at_ms)`.execute(db);
}
