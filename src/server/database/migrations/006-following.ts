import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Distinguishes those who chose a level for a channel from those who never did, for whom the community, or they
 * themselves, decide; and stores which comments and channels were told to those who follow.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const byteText = isPostgres ? 'text collate "C"' : 'text';
  // SQLite would store fractions in columns of whole numbers.
  const whole = (column: string, value: number) =>
    `${column} integer not null default ${value}${isPostgres ? '' : ` check (typeof("${column}") = 'integer')`}`;
  for (const statement of [
    'alter table reading_positions rename to old_reading_positions',
    'drop index reading_positions_by_channel_id',
    `create table reading_positions (
      account_id text not null references accounts (id),
      channel_id text not null references channels (id),
      number integer not null${isPostgres ? '' : ' check (typeof("number") = \'integer\')'},
      level ${byteText} check (level in ('all', 'mine', 'none')),
      primary key (account_id, channel_id)
    )`,
    // 1.0.0 wrote the level `mine` for everybody who read a channel.
    `insert into reading_positions
      select account_id, channel_id, number, nullif(level, 'mine') from old_reading_positions`,
    'drop table old_reading_positions',
    'create index reading_positions_by_channel_id on reading_positions (channel_id)',
    `alter table accounts add column follow ${byteText} check (follow in ('all', 'mine'))`,
    `alter table accounts add column ${whole('tells_channels', 1)}`,
    `alter table channels add column ${whole('told_number', 0)}`,
    `alter table channels add column ${whole('is_told', 0)}`,
    'update channels set told_number = last_comment_number, is_told = 1',
    `create unique index notifications_of_channels on notifications (channel_id, account_id)
      where kind = 'channel'`,
    `create unique index notifications_of_followed on notifications (account_id, channel_id, number)
      where kind = 'comment'`,
    'create index untold_channels on channels (id) where is_told = 0',
    `create index channels_with_untold_comments on channels (id)
      where last_comment_number > told_number`,
    "create index suspensions on decisions (id) where action = 'suspend'",
  ])
    await sql.raw(statement).execute(db);
}
