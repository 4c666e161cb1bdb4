import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table search_state add column merge_at_ms bigint not null default 0`.execute(db);
  await sql`create index audit_log_by_actor on audit_log (actor, at_ms)`.execute(db);
}
