import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Adds files and polls that comments carry. Who voted in a secret poll and what was voted are two tables without anything that
 * leads from one to the other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const byteText = isPostgres ? 'text collate "C"' : 'text';
  // SQLite would store fractions in columns of whole numbers.
  const whole = (column: string, type = 'integer', rest = 'not null') =>
    `${column} ${type} ${rest}${isPostgres ? '' : ` check (typeof("${column}") in ('integer', 'null'))`}`;
  const time = (column: string, rest = 'not null') => whole(column, 'bigint', rest);
  const ofComment = `foreign key (channel_id, number)
    references comments (channel_id, number) on delete cascade`;
  const ofPoll = `foreign key (channel_id, number)
    references polls (channel_id, number) on delete cascade`;
  for (const statement of [
    'drop view visible_comments',
    // A new column, because SQLite cannot change the condition of the old one.
    'alter table comments rename column carries to carries_event',
    `alter table comments add column carries ${byteText} check (carries in ('event', 'poll'))`,
    'update comments set carries = carries_event where carries_event is not null',
    'alter table comments drop column carries_event',
    `alter table comments add column ${whole('file_count', 'integer', 'not null default 0')}`,
    visibleComments(isPostgres),
    `create table comment_files (
      channel_id text not null,
      ${whole('number')},
      ${whole('position')},
      url text not null,
      primary key (channel_id, number, position),
      ${ofComment}
    )`,
    'create index comment_files_by_url on comment_files (url)',
    'create index comments_with_files on comments (created_at_ms, channel_id, number) where file_count > 0',
    `create index comments_with_files_of_channels on comments (channel_id, created_at_ms, number)
      where file_count > 0`,
    `create table polls (
      channel_id text not null,
      ${whole('number')},
      ${whole('is_multiple')},
      ${whole('is_secret')},
      ${time('closes_at_ms')},
      ${time('closed_at_ms', '')},
      ${time('restarted_at_ms', '')},
      primary key (channel_id, number),
      ${ofComment}
    )`,
    'create index open_polls on polls (closes_at_ms, channel_id, number) where closed_at_ms is null',
    'create index open_polls_of_channels on polls (channel_id, closes_at_ms, number) where closed_at_ms is null',
    `create table poll_options (
      channel_id text not null,
      ${whole('number')},
      ${whole('position')},
      text text not null,
      start_time ${byteText},
      primary key (channel_id, number, position),
      ${ofPoll}
    )`,
    `create table poll_votes (
      channel_id text not null,
      ${whole('number')},
      ${whole('position')},
      account_id text not null references accounts (id),
      primary key (channel_id, number, position, account_id),
      foreign key (channel_id, number, position)
        references poll_options (channel_id, number, position) on delete cascade
    )`,
    'create index poll_votes_by_account on poll_votes (account_id, channel_id, number, position)',
    // SQLite then stores no number that rises with each row.
    `create table secret_voters (
      channel_id text not null,
      ${whole('number')},
      account_id text not null references accounts (id),
      primary key (channel_id, number, account_id),
      ${ofPoll}
    )${isPostgres ? '' : ' without rowid'}`,
    `create table secret_counts (
      channel_id text not null,
      ${whole('number')},
      ${whole('position')},
      ${whole('votes', 'integer', 'not null default 0')},
      ${whole('voters', 'integer', 'not null default 0')},
      primary key (channel_id, number, position),
      foreign key (channel_id, number, position)
        references poll_options (channel_id, number, position) on delete cascade
    )`,
    'create index secret_voters_by_account on secret_voters (account_id, channel_id, number)',
    // Their votes are not counted.
    'create index hidden_accounts on accounts (id) where hidden_by is not null',
  ])
    await sql.raw(statement).execute(db);
}

/** The view as before, with the new columns. */
const visibleComments = (isPostgres: boolean) => `create view visible_comments as
  select comments.channel_id, comments.number, comments.account_id, comments.text,
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
