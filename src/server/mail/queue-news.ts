import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { decisionsToldTo } from '../forum/notifications/decision-notifications.ts';
import type { Config } from '../system/settings/config.ts';
import { dayMs } from '../system/times.ts';
import { countNewsLeft, isBelowLimit, queueMail } from './queue-mail.ts';

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
 * Queues a mail for each account that has news and is due. Whether the news is still new and visible is checked when
 * the mail is sent.
 * @returns the number of mails queued
 */
export async function queueNews(services: Services): Promise<number> {
  const { db, withTransaction, config, now } = services;
  if (!config.mail) return 0;
  const most = await countNewsLeft(db, config.mail.dailyLimit, now());
  if (most <= 0) return 0;
  const open = await findAccountsWithNews(db, now(), most);
  const mostHidden = Math.min(hiddenPerPass, most - open.length);
  const hidden = await findAccountsWithNews(db, now(), mostHidden, true);
  const found = [...open, ...hidden].sort((a, b) => (a.id < b.id ? -1 : 1));
  let queued = 0;
  for (let start = 0; start < found.length; start += batchSize) {
    const batch = found.slice(start, start + batchSize);
    queued += await withTransaction('mails', (trx) => queueBatch(trx, batch, now()));
  }
  return queued;
}

interface Found {
  id: string;
  mark: number;
  /** Null when it has no notification, or is told of decisions only. */
  newest: number | null;
  decision_mark: string;
  newest_decision: string | null;
}

/**
 * Finds accounts to mail, longest waiting first. This is the only query of a pass that reads accounts. Each account
 * costs one lookup in an index of notifications and one in an index of decisions.
 * @param areHidden finds only accounts that are hidden or were refused, which are told of decisions only; otherwise
 * only the others
 */
export async function findAccountsWithNews(
  db: Database,
  nowMs: number,
  most: number,
  areHidden = false,
): Promise<Found[]> {
  const mark = sql`case when notifications_seen_id > mailed_notification_id then notifications_seen_id else mailed_notification_id end`;
  const decisionMark = sql`case when decisions_seen_id > mailed_decision_id then decisions_seen_id else mailed_decision_id end`;
  const newest = sql`(select max(notifications.id) from notifications where notifications.account_id = accounts.id)`;
  const toldTo = (account: string) => decisionsToldTo(sql.ref(account), nowMs);
  const { rows } = await sql<Found>`
    select id, mark, newest, decision_mark, newest_decision from (
      select id, mailed_at_ms, ${mark} as mark, ${areHidden ? sql`cast(null as bigint)` : newest} as newest,
        ${decisionMark} as decision_mark,
        (select max(decision_accounts.decision_id) from ${toldTo('accounts.id')}) as newest_decision
      from accounts
      where email_confirmed_at_ms is not null and mail_every <> 'never'
        and mail_refused_at_ms is null and erased_at_ms is null and deletion_requested_at_ms is null
        and (disabled_at_ms is null or admission = 'refused')
        and ${areHidden ? sql`` : sql`not`} (hidden_by is not null or disabled_at_ms is not null)
        and mailed_at_ms <= case mail_every when 'hour' then ${sql.lit(nowMs - hourMs)}
          when 'day' then ${sql.lit(nowMs - dayMs)} else ${sql.lit(nowMs - 7 * dayMs)} end
    ) as found
    where (newest > mark
        and (select created_at_ms from notifications where account_id = found.id and notifications.id > found.mark
          order by notifications.id limit 1) <= ${sql.lit(nowMs - waitMs)}
      or newest_decision > decision_mark
        and exists (select 1 from ${toldTo('found.id')} and decision_accounts.decision_id > found.decision_mark
          and decisions.at_ms <= ${sql.lit(nowMs - waitMs)}))
      and ${isBelowLimit('found.id', 'news', nowMs)}
    order by mailed_at_ms limit ${sql.lit(most)}`.execute(db);
  return rows;
}

/**
 * Queues mails and records the newest notification and decision that each covers, so that no other mail covers the same
 * ones.
 */
async function queueBatch(trx: Database, batch: Found[], nowMs: number): Promise<number> {
  let queued = 0;
  for (const { id, mark, newest, decision_mark, newest_decision } of batch) {
    const upTo = {
      mailed_notification_id: Math.max(mark, newest ?? 0),
      mailed_decision_id:
        newest_decision && newest_decision > decision_mark ? newest_decision : decision_mark,
    };
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set(upTo)
      .where('id', '=', id)
      .where((eb) =>
        eb.or([
          eb('mailed_notification_id', '<', upTo.mailed_notification_id),
          eb('mailed_decision_id', '<', upTo.mailed_decision_id),
        ]),
      )
      .executeTakeFirst();
    if (numUpdatedRows === 0n) continue;
    const mail = {
      accountId: id,
      kind: 'news' as const,
      afterNotificationId: mark,
      notificationId: upTo.mailed_notification_id,
      afterDecisionId: decision_mark,
      decisionId: upTo.mailed_decision_id,
    };
    await queueMail(trx, mail, nowMs);
    queued++;
  }
  return queued;
}
