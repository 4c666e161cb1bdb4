import { type SqlBool, sql } from 'kysely';
import type { Every } from '../../../shared/notification-settings.ts';
import type { Follow } from '../../../shared/notifications.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import {
  countMailsLeft,
  isBelowLimit,
  mailedMarks,
  type NewsKind,
  queueMail,
} from '../../mail/queue-mail.ts';
import { levelOf, settingsInForce } from '../../site-settings/site-settings.ts';
import type { Config } from '../../system/settings/config.ts';
import { isKind } from '../notification-rows.ts';
import { findMornings, type Morning, type Mornings, morningFor } from './mornings.ts';
import { isMailedAs, isWrittenBy, laterOf } from './unseen-news.ts';

const hourMs = 3_600_000;
/** Time for people to notice news on the site itself. */
const waitMs = 10 * 60_000;
/** Accounts locked per transaction, in the order of their ids, as in decisions. */
const batchSize = 10;
/**
 * Accounts that are hidden or were refused, per pass. One decision may hide two hundred, whose mails would otherwise
 * leave at once and use the daily limit of all.
 */
const hiddenPerPass = 10;

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  config: Pick<Config, 'mail'>;
  now: () => number;
}

/**
 * Queues a mail for each account that has something that does not wait, and one for each that has news and is due.
 * Whether that is still new and visible, and whether the account may be told of it, is checked when the mail is sent.
 * @returns the number of mails queued
 */
export async function queueNews(services: Services): Promise<number> {
  return (await queueKind(services, 'notices')) + (await queueKind(services, 'news'));
}

async function queueKind(services: Services, kind: NewsKind): Promise<number> {
  const { db, withTransaction, config, now } = services;
  if (!config.mail) return 0;
  const most = await countMailsLeft(db, kind, config.mail.dailyLimit, now());
  if (most <= 0) return 0;
  const mornings = await findMornings(db, now());
  const follow = levelOf(await settingsInForce(db));
  const find = (limit: number, areHidden: boolean) =>
    findAccountsWithNews(db, kind, { mornings, nowMs: now(), most: limit, areHidden, follow });
  const open = await find(most, false);
  const hidden = await find(Math.min(hiddenPerPass, most - open.length), true);
  const found = [...open, ...hidden].sort((a, b) => (a.id < b.id ? -1 : 1));
  let queued = 0;
  for (let start = 0; start < found.length; start += batchSize) {
    const batch = found.slice(start, start + batchSize);
    queued += await withTransaction('mails', (trx) =>
      queueBatch(trx, kind, batch, mornings, now()),
    );
  }
  return queued;
}

interface Search {
  mornings: Mornings;
  nowMs: number;
  most: number;
  areHidden?: boolean;
  follow?: Follow;
}

interface Found {
  id: string;
  mail_every: Every;
  zone: string | null;
  mailed_at_ms: number;
  mark: number;
  newest: number;
}

/**
 * Finds accounts to mail, longest waiting first. It reads all accounts that get mails, each with two lookups in an index
 * of notifications. Notices are due at once.
 * An hourly mail is due an hour after the last one. A digest is due from eight o'clock on, if no news was mailed on that
 * day, or since Monday, and something is older than that hour: so it does not drift, and a late one delays no other.
 * @param search.areHidden finds only accounts that are hidden or were refused; otherwise only the others
 * @param search.follow the level of those who chose none
 */
export async function findAccountsWithNews(
  db: Database,
  kind: NewsKind,
  { mornings, nowMs, most, areHidden = false, follow = 'mine' }: Search,
): Promise<Found[]> {
  const isMailed = sql<SqlBool>`(${isKind((each) => isMailedAs(kind, each, { follow, important: 'now' }))}
    ${kind === 'news' ? sql`or ${isImportantInDigest()}` : sql``})`;
  /** A time for each rhythm. */
  const byRhythm = (hourlyMs: number, day: keyof Morning, week: keyof Morning) =>
    sql<number>`case mail_every when 'hour' then cast(${hourlyMs} as bigint)
      when 'day' then ${byZone(mornings, day)} else ${byZone(mornings, week)} end`;
  const { rows } = await sql<Found>`
    select id, mail_every, zone, mailed_at_ms, mark, newest from (
      select id, mail_every, zone, mailed_at_ms,
        ${kind === 'notices' ? sql<number>`cast(${nowMs} as bigint)` : byRhythm(nowMs - waitMs, 'dayMs', 'weekMs')} as written_by_ms,
        ${laterOf('notifications_seen_id', mailedMarks[kind])} as mark,
        (select max(notifications.id) from notifications
          where notifications.account_id = accounts.id and ${isMailed}) as newest
      from accounts
      where email_confirmed_at_ms is not null
        and ${kind === 'notices' ? sql`important = 'now'` : sql`mail_every <> 'never'`}
        and erased_at_ms is null and deletion_requested_at_ms is null
        and (disabled_at_ms is null or admission = 'refused')
        and ${areHidden ? sql`` : sql`not`} (hidden_by is not null or disabled_at_ms is not null)
        and mail_after_ms <= ${nowMs}
        ${kind === 'notices' ? sql`` : sql`and mailed_at_ms < ${byRhythm(nowMs - hourMs + 1, 'dayStartMs', 'weekStartMs')}`}
    ) as found
    where newest > mark
      and (select ${isWrittenBy(sql`found.written_by_ms`, nowMs)} from notifications
        where account_id = found.id and notifications.id > found.mark and ${isMailed}
        order by notifications.id limit 1)
      and ${isBelowLimit('found.id', kind, nowMs)}
    order by mailed_at_ms limit ${most}`.execute(db);
  return rows;
}

/** What does not wait is in the digest of those who chose that, unless it was mailed at once before they did. */
const isImportantInDigest = () => sql<SqlBool>`(${isKind(({ mail }) => mail === 'at once')}
  and (select important from accounts where accounts.id = notifications.account_id) = 'digest'
  and notifications.id > (select mailed_notice_id from accounts
    where accounts.id = notifications.account_id))`;

/** A time of the morning in an account's zone. */
const byZone = ({ community, others }: Mornings, time: keyof Morning) => {
  const cases = others.map(
    ({ zones, ...morning }) =>
      sql`when zone in (${sql.join(zones)}) then cast(${morning[time]} as bigint)`,
  );
  // This case is first, because a list of cases is never empty.
  const all = [sql`when zone is null then cast(${community[time]} as bigint)`, ...cases];
  return sql`case ${sql.join(all, sql` `)} else cast(${community[time]} as bigint) end`;
};

/**
 * Queues mails, each with the range of notifications that it covers. The account's mark advances when the mail was sent,
 * so that what an abandoned one covered is in the next one.
 */
async function queueBatch(
  trx: Database,
  kind: NewsKind,
  batch: Found[],
  mornings: Mornings,
  nowMs: number,
): Promise<number> {
  let queued = 0;
  for (const found of batch) {
    if (!(await lockUnmailed(trx, kind, found))) continue;
    const { endMs } = morningFor(mornings, found.zone);
    const mail = {
      accountId: found.id,
      kind,
      afterNotificationId: found.mark,
      notificationId: found.newest,
      ...(kind === 'news' && found.mail_every !== 'hour' && { endsAtMs: endMs }),
    };
    await queueMail(trx, mail, nowMs);
    queued++;
  }
  return queued;
}

/**
 * Locks an account that was found to be due.
 * @returns false when another process has queued or sent its news since then
 */
async function lockUnmailed(
  trx: Database,
  kind: NewsKind,
  { id, mailed_at_ms, mark }: Found,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ mailed_at_ms })
    .where('id', '=', id)
    .where('mailed_at_ms', '=', mailed_at_ms)
    .where(mailedMarks[kind], '<=', mark)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const waiting = await trx
    .selectFrom('mails')
    .select('id')
    .where('account_id', '=', id)
    .where('kind', '=', kind)
    .where('next_try_at_ms', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return waiting === undefined;
}
