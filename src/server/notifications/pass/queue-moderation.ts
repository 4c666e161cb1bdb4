import { type SqlBool, sql } from 'kysely';
import { isWaiting } from '../../accounts/standing/admission.ts';
import { activeStaff } from '../../accounts/standing/staff.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { countPending, isOfHidden } from '../../forum/pending/pending-cases.ts';
import { countMailsLeft, isBelowLimit, queueMail } from '../../mail/queue-mail.ts';
import { countOpen } from '../../moderation/queue/queue-queries.ts';
import type { Config } from '../../system/settings/config.ts';
import { dayMs } from '../../system/times.ts';

const hourMs = 3_600_000;
/** Open cases and pending items are each counted up to this number. */
const counted = 1000;

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  config: Pick<Config, 'mail'>;
  now: () => number;
}

/**
 * Queues a mail for each moderator for whom something has waited for more than an hour, once for each thing, and once a
 * day while it still waits. The mail is made when it is sent.
 */
export async function queueModeration(services: Services): Promise<void> {
  const { db, withTransaction, config, now } = services;
  if (!config.mail) return;
  const nowMs = now();
  const most = await countMailsLeft(db, 'moderation', config.mail.dailyLimit, nowMs);
  for (const { id } of await findModeratorsToMail(db, nowMs, most)) {
    await withTransaction(`account ${id}`, async (trx) => {
      const mailed = trx.updateTable('accounts').set({ moderation_mailed_at_ms: nowMs });
      await mailed.where('id', '=', id).execute();
      await queueMail(trx, { accountId: id, kind: 'moderation' }, nowMs);
    });
  }
}

async function findModeratorsToMail(
  db: Database,
  nowMs: number,
  most: number,
): Promise<{ id: string }[]> {
  const active = (await activeStaff(db, nowMs)).map(({ id }) => id);
  if (active.length === 0) return [];
  const lateMs = nowMs - hourMs;
  const isDue = (since: string) => sql`(${sql.ref(since)} <= ${lateMs}
    and (${sql.ref(since)} > accounts.moderation_mailed_at_ms - ${sql.lit(hourMs)}
      or accounts.moderation_mailed_at_ms <= ${nowMs - dayMs}))`;
  return db
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', active)
    .where('mail_moderation', '=', 'hour')
    .where('email_confirmed_at_ms', 'is not', null)
    .where('mail_after_ms', '<=', nowMs)
    .where('moderation_mailed_at_ms', '<=', lateMs)
    .where(anyWaits(sql.ref('accounts.id'), isDue))
    .where(isBelowLimit('accounts.id', 'moderation', nowMs))
    .limit(most)
    .execute();
}

/**
 * Whether a report, an appeal, a post or a person waits for this moderator. A case about the moderator does not.
 * @param isDue a condition on the column with the time since which it waits
 */
const anyWaits = (moderator: unknown, isDue: (since: string) => unknown) => sql<SqlBool>`(
  exists (select 1 from cases where decided_at_ms is null and account_id <> ${moderator}
    and ${isDue('cases.opened_at_ms')})
  or exists (select 1 from appeals where answer is null and account_id <> ${moderator}
    and ${isDue('appeals.at_ms')})
  or exists (select 1 from pending_posts where rejected_by is null and account_id <> ${moderator}
    and not ${isOfHidden} and ${isDue('pending_posts.created_at_ms')})
  or exists (select 1 from accounts as applicant where ${isWaiting}
    and ${isDue('applicant.created_at_ms')}))`;

/**
 * Counts what waits for a moderator.
 * @returns undefined when nothing has waited for an hour, or the account may not moderate now
 */
export async function countForModerator(
  db: Database,
  id: string,
  nowMs: number,
): Promise<{ open: number; pending: number } | undefined> {
  const active = await activeStaff(db, nowMs);
  if (!active.some((one) => one.id === id)) return undefined;
  const isLate = (since: string) => sql`${sql.ref(since)} <= ${nowMs - hourMs}`;
  const { rows } = await sql<{ waits: number }>`
    select case when ${anyWaits(id, isLate)} then 1 else 0 end as waits`.execute(db);
  if (rows[0]?.waits !== 1) return undefined;
  return { open: await countOpen(db, id, counted), pending: await countPending(db, id, counted) };
}
