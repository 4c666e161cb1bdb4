import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Adds invitations that are mailed to an address. The queue of mails is made anew, because SQLite cannot change the list
 * of its kinds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const byteText = isPostgres ? 'text collate "C"' : 'text';
  // SQLite would store fractions in columns of whole numbers.
  const whole = (column: string, type = 'bigint', rest = 'not null') =>
    `${column} ${type} ${rest}${isPostgres ? '' : ` check (typeof("${column}") in ('integer', 'null'))`}`;
  const columns = [
    ...['id', 'account_id', 'kind', 'rank', 'email', 'after_notification_id', 'notification_id'],
    ...['created_at_ms', 'ends_at_ms', 'tries', 'next_try_at_ms', 'sent_at_ms'],
  ].join();
  for (const statement of [
    `create table mailed_invitations (
      id ${byteText} primary key references invitations (id) on delete cascade,
      email text not null,
      email_key ${byteText} not null unique,
      name text not null,
      code ${byteText} not null,
      ${whole('created_at_ms')},
      ${whole('ends_at_ms')},
      ${whole('again_at_ms', 'bigint', '')},
      ${whole('sent_at_ms', 'bigint', '')},
      ${whole('refused_at_ms', 'bigint', '')}
    )`,
    'create index mailed_invitations_by_created_at_ms on mailed_invitations (created_at_ms)',
    'create index mailed_invitations_by_ends_at_ms on mailed_invitations (ends_at_ms)',
    'alter table mails rename to old_mails',
    ...['account_id', 'created_at_ms', 'sent_at_ms'].map(
      (column) => `drop index mails_by_${column}`,
    ),
    'drop index waiting_mails',
    `create table mails (
      id ${byteText} primary key,
      account_id text not null references accounts (id),
      invitation_id ${byteText} references mailed_invitations (id) on delete cascade,
      kind ${byteText} not null check (
        kind in ('recover', 'confirm', 'address-changed', 'notices', 'news', 'moderation', 'invitation')
      ),
      ${whole('rank', 'integer')},
      email text,
      ${whole('after_notification_id', 'bigint', 'not null default 0')},
      ${whole('notification_id', 'bigint', 'not null default 0')},
      ${whole('created_at_ms')},
      ${whole('ends_at_ms')},
      ${whole('tries', 'integer', 'not null default 0')},
      ${whole('next_try_at_ms', 'bigint', '')},
      ${whole('sent_at_ms', 'bigint', '')},
      check ((kind = 'invitation') = (invitation_id is not null))
    )`,
    `insert into mails (${columns}) select ${columns} from old_mails`,
    'drop table old_mails',
    'create index mails_by_account_id on mails (account_id, created_at_ms)',
    'create index mails_by_created_at_ms on mails (created_at_ms)',
    'create index mails_by_sent_at_ms on mails (sent_at_ms) where sent_at_ms is not null',
    'create index mails_by_invitation_id on mails (invitation_id)',
    `create index waiting_mails on mails (rank, next_try_at_ms)
      where next_try_at_ms is not null`,
  ])
    await sql.raw(statement).execute(db);
}
