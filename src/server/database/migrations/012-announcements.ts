import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Adds announcements, which are comments that everybody is told of, and who has acknowledged them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const byteText = isPostgres ? 'text collate "C"' : 'text';
  // SQLite would store fractions in columns of whole numbers.
  const whole = (column: string, type = 'integer', rest = 'not null') =>
    `${column} ${type} ${rest}${isPostgres ? '' : ` check (typeof("${column}") in ('integer', 'null'))`}`;
  const time = (column: string, rest = 'not null') => whole(column, 'bigint', rest);
  for (const statement of [
    `alter table comments add column ${whole('is_announcement', 'integer', 'not null default 0')}`,
    'drop view visible_comments',
    visibleComments(isPostgres),
    `create table announcements (
      channel_id text not null,
      ${whole('number')},
      until_day ${byteText} not null,
      ${time('ends_at_ms')},
      ${whole('asks_confirmation')},
      ${time('told_at_ms', '')},
      ${time('reminded_at_ms', '')},
      primary key (channel_id, number),
      foreign key (channel_id, number)
        references comments (channel_id, number) on delete cascade
    )`,
    'create index announcements_by_end on announcements (ends_at_ms)',
    'create index untold_announcements on announcements (channel_id, number) where told_at_ms is null',
    `create table acknowledgements (
      channel_id text not null,
      ${whole('number')},
      account_id text not null references accounts (id),
      ${time('acknowledged_at_ms')},
      primary key (channel_id, number, account_id),
      foreign key (channel_id, number)
        references announcements (channel_id, number) on delete cascade
    )`,
    'create index acknowledgements_by_account on acknowledgements (account_id, channel_id, number)',
  ])
    await sql.raw(statement).execute(db);
}

/** The view as before, with the new column. */
const visibleComments = (isPostgres: boolean) => `create view visible_comments as
  select comments.channel_id, comments.number, comments.account_id, comments.text,
    comments.created_at_ms, comments.revision, comments.edited_at_ms, comments.reply_to,
    comments.image_count, comments.carries, comments.carried_text, comments.is_announcement
  from comments ${
    isPostgres
      ? `cross join lateral (
          select id from visible_channels where id = comments.channel_id limit 1) as channel
        cross join lateral (
          select accounts.id as author_id from accounts
          where accounts.id = comments.account_id and accounts.hidden_by is null limit 1) as author
        where ${visible}`
      : `join visible_channels on visible_channels.id = comments.channel_id
        where ${visible} and (
          select author.hidden_by from accounts as author where author.id = comments.account_id) is null`
  }`;

const visible = 'comments.deleted_at_ms is null and comments.hidden_by is null';
