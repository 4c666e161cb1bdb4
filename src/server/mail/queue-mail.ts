import { createHmac, randomBytes } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { MailKind } from '../database/account-tables.ts';
import type { Database } from '../database/tables.ts';
import { dayMs } from '../system/times.ts';

/**
 * No news is sent to an account after this many mails in a day. With three confirmation mails, the maximum is twelve.
 */
const newsPerDay = 9;

/** Time after which a mail is abandoned, unless its kind ends earlier or later. */
const triedMs = dayMs;

const ranks: Record<MailKind, number> = {
  recover: 0,
  confirm: 1,
  'address-changed': 1,
  notices: 2,
  news: 3,
  moderation: 3,
  invitation: 4,
};
/** The rank of invitations, and of mails that a client causes beyond its limit. They are sent last. */
const lastRank = 4;
export const allRanks = [...new Set([...Object.values(ranks), lastRank])];

/** The part of the daily limit after which mails of a rank wait, so that less urgent mails leave the rest to others. */
const shares = [1, 0.9, 0.8, 0.8, 0.7];
/** Number of mails per day after which mails of this rank wait. */
export const limitOf = (rank: number, dailyLimit: number) => dailyLimit * (shares[rank] ?? 0);
/** Number of mails of a kind that are sent in a day if there are no others. */
export const mailsPerDay = (kind: MailKind, dailyLimit: number) =>
  Math.floor(limitOf(ranks[kind], dailyLimit));
/** Whether a mail was sent or is still queued, as a condition on `mails`. */
const counts = sql<SqlBool>`(mails.next_try_at_ms is not null or mails.sent_at_ms is not null)`;

/** How many mails of a kind may be queued now, so that more urgent mails are left part of the site's daily limit. */
export async function countMailsLeft(
  db: Database,
  kind: MailKind,
  dailyLimit: number,
  nowMs: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('mails.created_at_ms', '>', nowMs - dayMs)
    .where(counts)
    .executeTakeFirstOrThrow();
  return Math.max(0, mailsPerDay(kind, dailyLimit) - Number(count));
}

/**
 * Whether an account may be sent news, notices, or what awaits moderators: no mail of this kind is queued for it, and it
 * has not reached its daily limit.
 * @param account a reference to the account's id
 */
export const isBelowLimit = (account: string, kind: MailKind, nowMs: number) => sql<SqlBool>`(
  not exists (select 1 from mails where account_id = ${sql.ref(account)}
    and kind = ${kind} and next_try_at_ms is not null)
  and (select count(*) from mails where account_id = ${sql.ref(account)}
    and created_at_ms > ${nowMs - dayMs} and kind not in ('recover', 'invitation') and ${counts}) < ${sql.lit(newsPerDay)})`;

/** An account is mailed once a week after this many mails in a row that were given up. */
export const mostGivenUp = 3;
/** Columns of an account whose mails arrive, or whose address is new. */
export const arrivingMails = { mail_refused_at_ms: null, mails_given_up: 0, mail_after_ms: 0 };

/** Counts queued mails, with the time of the oldest. */
export async function countWaiting(
  db: Database,
): Promise<{ count: number; oldestMs: number | null }> {
  const { count, oldestMs } = await db
    .selectFrom('mails')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at_ms').as('oldestMs')])
    .where('next_try_at_ms', 'is not', null)
    .executeTakeFirstOrThrow();
  return { count: Number(count), oldestMs };
}

/** Mails about what is told, each with the column of its account for the newest notification that such a mail covered. */
export const mailedMarks = {
  news: 'mailed_notification_id',
  notices: 'mailed_notice_id',
} as const;
export type NewsKind = keyof typeof mailedMarks;
export const isNewsKind = (kind: MailKind): kind is NewsKind => kind in mailedMarks;

/** Values of the marks of an account, with which its mails cover only later notifications. @param id SQL of the newest id */
export const mailedUpTo = (id: RawBuilder<number>) =>
  Object.fromEntries(Object.values(mailedMarks).map((mark) => [mark, id])) as Record<
    (typeof mailedMarks)[NewsKind],
    RawBuilder<number>
  >;

interface NewMail {
  accountId: string;
  kind: MailKind;
  /** An address other than the account's current one. */
  email?: string;
  /** The invitation that it contains. */
  invitationId?: string;
  afterNotificationId?: number;
  notificationId?: number;
  /** When it is abandoned; by default a day later. */
  endsAtMs?: number;
  /** Whether it is sent after all others. */
  isLast?: boolean;
}

/**
 * Queues a mail in the transaction of its cause. Cancels a queued one of the same kind, since its link is no longer
 * valid; except for recovery mails and invitations, whose links all stay valid.
 * @returns its id
 */
export async function queueMail(
  trx: Database,
  { accountId, kind, email, invitationId, endsAtMs, isLast, ...covered }: NewMail,
  nowMs: number,
): Promise<string> {
  if (kind !== 'recover' && kind !== 'invitation') await giveUpMails(trx, accountId, [kind]);
  const id = uuidv7();
  await trx
    .insertInto('mails')
    .values({
      id,
      account_id: accountId,
      kind,
      email: email ?? null,
      invitation_id: invitationId ?? null,
      rank: isLast ? lastRank : ranks[kind],
      after_notification_id: covered.afterNotificationId ?? 0,
      notification_id: covered.notificationId ?? 0,
      created_at_ms: nowMs,
      next_try_at_ms: nowMs,
      sent_at_ms: null,
      ends_at_ms: endsAtMs ?? nowMs + triedMs,
    })
    .execute();
  return id;
}

/** Cancels mails queued for an account's current address. Call it when the address changes. */
export async function giveUpMails(
  trx: Database,
  accountId: string,
  kinds = Object.keys(ranks) as MailKind[],
): Promise<void> {
  await trx
    .updateTable('mails')
    .set({ next_try_at_ms: null })
    .where('account_id', '=', accountId)
    .where('kind', 'in', kinds)
    .where('next_try_at_ms', 'is not', null)
    .where('email', 'is', null)
    .execute();
}

/**
 * Derives a token for an account, always the same for a purpose, so that a mail that is sent again has the same link.
 * At most its hash is stored.
 * @param purpose the id of a mail, or a fixed word
 */
export async function mailToken(db: Database, accountId: string, purpose: string): Promise<string> {
  const account = await db
    .selectFrom('accounts')
    .select('mail_secret')
    .where('id', '=', accountId)
    .executeTakeFirst();
  const secret = account?.mail_secret ?? (await makeSecret(db, accountId));
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

async function makeSecret(db: Database, accountId: string): Promise<string> {
  const made = randomBytes(32).toString('base64url');
  const { mail_secret } = await db
    .updateTable('accounts')
    // The first of several concurrent calls wins.
    .set((eb) => ({ mail_secret: eb.fn.coalesce('mail_secret', sql<string>`${made}`) }))
    .where('id', '=', accountId)
    .returning('mail_secret')
    .executeTakeFirstOrThrow();
  return mail_secret ?? made;
}
