import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Stores the zone of an account apart from whether its nights are quiet, when its mails may go again after failures,
 * until when each mail is tried, and whether a mention was added by an edit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  // SQLite would store fractions in columns of whole numbers.
  const whole = (column: string, type: 'integer' | 'bigint') =>
    `${column} ${type} not null default 0${isPostgres ? '' : ` check (typeof("${column}") = 'integer')`}`;
  const statements = [
    'alter table accounts add column zone text',
    `alter table accounts add column ${whole('quiet_nights', 'integer')}`,
    'update accounts set zone = quiet_zone, quiet_nights = 1 where quiet_zone is not null',
    'alter table accounts drop column quiet_zone',
    'create index accounts_by_zone on accounts (zone) where zone is not null',

    `alter table accounts add column ${whole('mails_given_up', 'integer')}`,
    // Refused addresses were never tried again. Now each is, a week after its refusal.
    `alter table accounts add column ${whole('mail_after_ms', 'bigint')}`,
    `update accounts set mail_after_ms = mail_refused_at_ms + 604800000
      where mail_refused_at_ms is not null`,
    'drop index accounts_with_news',
    `create index accounts_with_news on accounts (id)
      where email_confirmed_at_ms is not null and mail_every <> 'never'`,
    `create index accounts_by_refusal on accounts (mail_refused_at_ms)
      where mail_refused_at_ms is not null`,

    `alter table mails add column ${whole('ends_at_ms', 'bigint')}`,
    'update mails set ends_at_ms = created_at_ms + 86400000',

    `alter table notifications add column ${whole('by_edit', 'integer')}`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
