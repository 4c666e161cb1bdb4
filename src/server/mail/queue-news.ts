import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import type { Config } from '../system/settings/config.ts';
import { dayMs } from '../system/times.ts';
import { countMails, newsLimit, newsPerDay, queueMail } from './queue-mail.ts';

const hourMs = 3_600_000;
/** Time for people to notice news on the site itself. */
const waitMs = 10 * 60_000;
/** Accounts locked per transaction, in the order of their ids, as in decisions. */
const batchSize = 10;

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
  const { count } = await countMails(db, now()).executeTakeFirstOrThrow();
  const most = Math.floor(newsLimit(config.mail.dailyLimit) - Number(count));
  if (most <= 0) return 0;
  const found = (await findAccountsWithNews(db, now(), most)).sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
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
  newest: number;
}

/**
 * Finds accounts to mail, longest waiting first. This is the only query of a pass that reads accounts. Each account
 * costs one lookup in an index of notifications.
 */
export async function findAccountsWithNews(
  db: Database,
  nowMs: number,
  most: number,
): Promise<Found[]> {
  const mark = sql`case when notifications_seen_id > mailed_notification_id then notifications_seen_id else mailed_notification_id end`;
  const { rows } = await sql<Found>`
    select id, mark, newest from (
      select id, mailed_at_ms, ${mark} as mark,
        (select max(notifications.id) from notifications where notifications.account_id = accounts.id) as newest
      from accounts
      where email_confirmed_at_ms is not null and mail_every <> 'never'
        and mail_refused_at_ms is null and hidden_by is null and disabled_at_ms is null
        and deletion_at_ms is null
        and mailed_at_ms <= case mail_every when 'hour' then ${sql.lit(nowMs - hourMs)}
          when 'day' then ${sql.lit(nowMs - dayMs)} else ${sql.lit(nowMs - 7 * dayMs)} end
    ) as found
    where newest > mark
      and (select created_at_ms from notifications where account_id = found.id and notifications.id > found.mark
        order by notifications.id limit 1) <= ${sql.lit(nowMs - waitMs)}
      and not exists (select 1 from mails where account_id = found.id
        and kind = 'news' and next_try_at_ms is not null)
      and (select count(*) from mails where account_id = found.id
        and created_at_ms > ${sql.lit(nowMs - dayMs)} and kind <> 'recover'
        and (next_try_at_ms is not null or sent_at_ms is not null)) < ${sql.lit(newsPerDay)}
    order by mailed_at_ms limit ${sql.lit(most)}`.execute(db);
  return rows;
}

/** Queues mails and records the newest notification that each covers, so that no other mail covers the same ones. */
async function queueBatch(trx: Database, batch: Found[], nowMs: number): Promise<number> {
  let queued = 0;
  for (const { id, mark, newest } of batch) {
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set({ mailed_notification_id: newest })
      .where('id', '=', id)
      .where('mailed_notification_id', '<', newest)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) continue;
    const mail = {
      accountId: id,
      kind: 'news' as const,
      afterNotificationId: mark,
      notificationId: newest,
    };
    await queueMail(trx, mail, nowMs);
    queued++;
  }
  return queued;
}
