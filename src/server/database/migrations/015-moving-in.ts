import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Adds chats that moved in, and people without an account who wrote them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const byteText = isPostgres ? 'text collate "C"' : 'text';
  // SQLite would store fractions in columns of whole numbers.
  const whole = (column: string, type = 'integer', rest = 'not null') =>
    `${column} ${type} ${rest}${isPostgres ? '' : ` check (typeof("${column}") in ('integer', 'null'))`}`;
  const time = (column: string, rest = 'not null') => whole(column, 'bigint', rest);
  for (const statement of [
    'alter table accounts drop constraint open_accounts_have_email_keys',
    `alter table accounts add constraint open_accounts_have_email_keys check (
      email_key is not null or erased_at_ms is not null or coalesce(admission, '') = 'imported')`,
    'drop view visible_comments',
    'alter table comments add column person_id text references accounts (id)',
    `create index comments_by_person_id on comments (person_id, channel_id, number)
      where person_id is not null`,
    visibleComments(isPostgres),
    `create table imports (
      channel_id text primary key references channels (id) on delete cascade,
      account_id text not null references accounts (id),
      state ${byteText} not null
        check (state in ('running', 'cancelled', 'full', 'failed', 'done')),
      plan text not null,
      source_key ${byteText} not null,
      ${whole('done', 'integer', 'not null default 0')},
      ${whole('total', 'integer', 'not null default 0')},
      ${time('newest_ms', 'not null default 0')},
      ${whole('newest_count', 'integer', 'not null default 0')},
      left_out text not null,
      left_out_people text not null default '[]',
      ${time('started_at_ms')},
      ${time('changed_at_ms')}
    )`,
    'create index imports_by_account_id on imports (account_id)',
    `create table imported_people (
      channel_id text not null references imports (channel_id) on delete cascade,
      source_hash ${byteText} not null,
      account_id text not null references accounts (id),
      claim_hash ${byteText} unique,
      withdraw_hash ${byteText} unique,
      claimed_by text references accounts (id),
      ${time('claimed_at_ms', '')},
      ${whole('is_moving', 'integer', 'not null default 0')},
      primary key (channel_id, source_hash)
    )`,
    'create index imported_people_by_account_id on imported_people (account_id)',
    `create index imported_people_by_claimed_by on imported_people (claimed_by)
      where claimed_by is not null`,
    `create index moving_people on imported_people (channel_id, account_id)
      where is_moving = 1`,
  ])
    await sql.raw(statement).execute(db);
}

/** The view as before, with the imported person. */
const visibleComments = (isPostgres: boolean) => `create view visible_comments as
  select comments.channel_id, comments.number, comments.account_id, comments.person_id, comments.text,
    comments.created_at_ms, comments.revision, comments.edited_at_ms, comments.reply_to,
    comments.image_count, comments.file_count, comments.carries, comments.carried_text, comments.is_announcement
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
