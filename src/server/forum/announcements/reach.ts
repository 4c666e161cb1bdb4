import { sql } from 'kysely';
import type { Reach } from '../../../shared/announcements.ts';
import { isMember } from '../../accounts/standing/members.ts';
import type { Database } from '../../database/tables.ts';
import { mailsPerDay } from '../../mail/queue-mail.ts';

/**
 * Counts whom an announcement by this account would reach now, and how.
 * @param dailyLimit mails of the site in a day; undefined where it sends none
 */
export async function findReach(
  db: Database,
  authorId: string,
  dailyLimit: number | undefined,
  nowMs: number,
): Promise<Reach> {
  const hasMail =
    dailyLimit === undefined
      ? sql`false`
      : sql`(email_confirmed_at_ms is not null
          and (important = 'now' or (important = 'digest' and mail_every in ('hour', 'day'))))`;
  const hasPush = sql`(important <> 'never' and exists (select 1 from push_subscriptions as push
    where push.account_id = accounts.id))`;
  const { rows } = await sql<Record<'members' | 'mail' | 'push' | 'neither', number>>`
    select count(*) as members,
      count(case when ${hasMail} then 1 end) as mail,
      count(case when ${hasPush} then 1 end) as push,
      count(case when not ${hasMail} and not ${hasPush} then 1 end) as neither
    from accounts where ${isMember(db, nowMs)}
      and accounts.id <> ${authorId}`.execute(db);
  const mail = Number(rows[0]?.mail ?? 0);
  return {
    members: Number(rows[0]?.members ?? 0),
    mail,
    push: Number(rows[0]?.push ?? 0),
    onlyHere: Number(rows[0]?.neither ?? 0),
    mailDays: dailyLimit ? Math.ceil(mail / Math.max(1, mailsPerDay('notices', dailyLimit))) : 0,
  };
}
