import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Adds dates that comments carry, the answers to them, what people were told of them, and what each account chose about
 * important notices. `carried_text` has the words of whatever a comment carries, for searches, excerpts and moderators.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const byteText = isPostgres ? 'text collate "C"' : 'text';
  // SQLite would store fractions in columns of whole numbers.
  const whole = (column: string, type = 'integer', rest = 'not null') =>
    `${column} ${type} ${rest}${isPostgres ? '' : ` check (typeof("${column}") in ('integer', 'null'))`}`;
  const time = (column: string, rest = 'not null') => whole(column, 'bigint', rest);
  for (const statement of [
    `alter table comments add column carries ${byteText} check (carries in ('event'))`,
    `alter table comments add column carried_text text not null default ''`,
    'drop view visible_comments',
    visibleComments(isPostgres),
    `create table comment_events (
      channel_id text not null,
      ${whole('number')},
      title text not null,
      location text not null,
      zone text not null,
      ${whole('all_day')},
      ${whole('capacity', 'integer', '')},
      ${whole('revision', 'integer', 'not null default 1')},
      ${time('changed_at_ms')},
      primary key (channel_id, number),
      foreign key (channel_id, number)
        references comments (channel_id, number) on delete cascade
    )`,
    `create table event_dates (
      channel_id text not null,
      ${whole('number')},
      ${whole('position')},
      start_time ${byteText} not null,
      end_time ${byteText},
      ${time('starts_at_ms')},
      ${time('ends_at_ms')},
      phase ${byteText} not null default 'coming' check (phase in ('coming', 'on', 'over')),
      ${time('cancelled_at_ms', '')},
      reason text not null default '',
      told_start ${byteText} not null,
      told_end ${byteText},
      told_location text not null,
      ${whole('told_cancelled', 'integer', 'not null default 0')},
      ${time('differs_since_ms', '')},
      ${whole('occasion', 'integer', 'not null default 0')},
      ${time('told_at_ms', 'not null default 0')},
      before_start ${byteText},
      before_end ${byteText},
      before_location text,
      ${time('remind_at_ms', '')},
      primary key (channel_id, number, position),
      foreign key (channel_id, number)
        references comment_events (channel_id, number) on delete cascade
    )`,
    // Dates to come in order; and those whose phase the clock changes next.
    'create index event_dates_by_start on event_dates (starts_at_ms, channel_id, number, position)',
    "create index coming_dates on event_dates (starts_at_ms) where phase = 'coming'",
    "create index current_dates on event_dates (ends_at_ms) where phase = 'on'",
    `create index event_dates_of_channels on event_dates (channel_id, starts_at_ms, number, position)
      where phase <> 'over'`,
    'create index event_reminders on event_dates (remind_at_ms) where remind_at_ms is not null',
    `create table event_rsvps (
      channel_id text not null,
      ${whole('number')},
      ${whole('position')},
      account_id text not null references accounts (id),
      answer ${byteText} not null check (answer in ('yes', 'maybe', 'no')),
      ${whole('people')},
      ${whole('turn')},
      ${whole('is_waiting', 'integer', 'not null default 0')},
      ${time('answered_at_ms')},
      primary key (channel_id, number, position, account_id),
      foreign key (channel_id, number, position)
        references event_dates (channel_id, number, position) on delete cascade
    )`,
    `create index event_rsvps_by_turn on event_rsvps
      (channel_id, number, position, answer, turn, people, account_id)`,
    `create index event_rsvps_by_account on event_rsvps
      (account_id, channel_id, number, position)`,
    `create index waiting_rsvps on event_rsvps (channel_id, number, position, turn)
      where is_waiting = 1`,
    `alter table accounts add column important ${byteText} not null default 'now'
      check (important in ('now', 'digest', 'never'))`,
    // Whoever asked for no mail asked for none of these.
    "update accounts set important = 'digest' where mail_every = 'never'",
    `alter table accounts add column ${whole('calendar_renewals', 'integer', 'not null default 0')}`,
  ])
    await sql.raw(statement).execute(db);
}

/** The view as before, with the new columns. */
const visibleComments = (isPostgres: boolean) => `create view visible_comments as
  select comments.channel_id, comments.number, comments.account_id, comments.text,
    comments.created_at_ms, comments.revision, comments.edited_at_ms, comments.reply_to,
    comments.image_count, comments.carries, comments.carried_text
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
