import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Thanks of accounts that a wave hides, who made a password link, and what held replies answer. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  // SQLite would store fractions in columns of integers.
  const whole = (column: string) =>
    isPostgres ? sql`` : sql`check (typeof(${sql.ref(column)}) in ('integer', 'null'))`;
  const text = sql.raw(isPostgres ? 'text collate "C"' : 'text');
  await sql`alter table comment_thanks add column is_hidden bigint not null default 0
    ${whole('is_hidden')}`.execute(db);
  await sql`alter table password_links add column made_by ${text}`.execute(db);
  await sql`alter table held add column reply_to bigint ${whole('reply_to')}`.execute(db);
  const replyTo = isPostgres
    ? sql`(content::json #>> '{reply,replyTo}')::bigint`
    : sql`json_extract(content, '$.reply.replyTo')`;
  await sql`update held set reply_to = ${replyTo} where kind = 'comment'`.execute(db);
  await sql`create index held_replies on held (channel_id, reply_to) where reply_to is not null`.execute(
    db,
  );
}
