import { randomBytes } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../../shared/limits.ts';
import type { MailedInvitation, MailedInvitationPage } from '../../../shared/mailed-invitations.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { emailKey } from '../../mail/email-key.ts';
import { countMailsLeft, queueMail } from '../../mail/queue-mail.ts';
import { settingsInForce } from '../../site-settings/site-settings.ts';
import type { Config } from '../../system/settings/config.ts';
import { dayMs } from '../../system/times.ts';
import { requireApproved } from '../standing/approval.ts';
import { requireWriter } from '../standing/restrictions.ts';
import { codeHash, requireInvitation } from './invitations.ts';

/** Invitations of the site in a day. */
const perDay = 500;
/** Lifetime of a link, and how long its address is stored. */
const keptMs = limits.longestInvitationDays * dayMs;
/** Time after which an invitation is mailed once more. */
const againMs = 3 * dayMs;

export interface MailedInvitationServices {
  db: Database;
  withTransaction: WithTransaction;
  config: Pick<Config, 'mail'>;
  now: () => number;
}

interface Invitee {
  email: string;
  /** Empty if unknown. */
  name: string;
}

/**
 * Mails an invitation for one person to each address that has neither an account nor an invitation.
 * @param accountId the moderator who invites
 * @returns the invitations of all addresses, in their order and without repeated ones
 * @throws ApiError `mail_unavailable`, `registration_closed`, `too_many_requests` when fewer people can be invited today;
 * errors of `requireWriter` and `requireApproved`
 */
export async function inviteByMail(
  { withTransaction, config, now }: MailedInvitationServices,
  accountId: string,
  invitees: Invitee[],
): Promise<MailedInvitation[]> {
  const { mail } = config;
  if (!mail) throw new ApiError('mail_unavailable');
  const byKey = new Map(invitees.map((one) => [emailKey(one.email), one]));
  return withTransaction('mailed invitations', async (trx) => {
    const nowMs = now();
    await requireInviter(trx, accountId, nowMs);
    const keys = [...byKey.keys()];
    const members = await trx
      .selectFrom('accounts')
      .select('email_key')
      .where('email_key', 'in', keys)
      .where('erased_at_ms', 'is', null)
      .execute();
    const memberKeys = new Set(members.map(({ email_key }) => email_key));
    const invited = await trx
      .selectFrom('mailed_invitations')
      .select(['id', 'email_key', 'code'])
      .where('email_key', 'in', keys)
      .execute();
    const known = new Set(memberKeys);
    for (const { id, email_key, code } of invited) {
      if (known.has(email_key)) continue;
      // One that was revoked, has ended, or whose maker may not invite any more makes place for another.
      if (await isUsable(trx, code, nowMs)) known.add(email_key);
      else await trx.deleteFrom('mailed_invitations').where('id', '=', id).execute();
    }
    const fresh = keys.filter((key) => !known.has(key));
    const left = await countLeft(trx, mail.dailyLimit, nowMs);
    if (fresh.length > left) throw tooMany(left);
    for (const key of fresh) await insert(trx, accountId, key, byKey.get(key) as Invitee, nowMs);
    const rows = await listRows(trx, nowMs).where('email_key', 'in', keys).execute();
    const shown = new Map(rows.map((row) => [row.email_key, toShown(row, nowMs)]));
    return [...byKey].flatMap(([key, { email, name }]) => {
      const one = shown.get(key);
      if (one && one.state !== 'joined') return [one];
      const member = { id: null, email, name, state: 'member', sentAt: null, mayRepeat: false };
      return memberKeys.has(key) ? [member as MailedInvitation] : one ? [one] : [];
    });
  });
}

/** One page of the invitations that were mailed in the last days, newest first. @param after `next` of the previous page */
export async function listMailedInvitations(
  { db, config, now }: MailedInvitationServices,
  after: string | undefined,
): Promise<MailedInvitationPage> {
  const nowMs = now();
  const rows = await listRows(db, nowMs)
    .$if(after !== undefined, (query) => query.where('mailed_invitations.id', '<', after ?? ''))
    .orderBy('mailed_invitations.id', 'desc')
    .limit(limits.listItems + 1)
    .execute();
  const page = rows.slice(0, limits.listItems);
  const { invited, joined } = await db
    .selectFrom(listRows(db, nowMs).as('listed'))
    .select(({ fn }) => [
      fn.countAll<number>().as('invited'),
      sql<number>`count(case when has_joined = 1 then 1 end)`.as('joined'),
    ])
    .executeTakeFirstOrThrow();
  return {
    data: page.map((row) => toShown(row, nowMs)),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
    invited: Number(invited),
    joined: Number(joined),
    left: config.mail ? await countLeft(db, config.mail.dailyLimit, nowMs) : 0,
  };
}

/**
 * Mails an invitation once more, from three days after it was made on.
 * @throws ApiError `invitation_not_found`, also for one that was used or refused, or lets nobody in; `too_early`; errors of
 * `inviteByMail`
 */
export async function repeatMailedInvitation(
  { withTransaction, config, now }: MailedInvitationServices,
  accountId: string,
  id: string,
): Promise<void> {
  const { mail } = config;
  if (!mail) throw new ApiError('mail_unavailable');
  await withTransaction('mailed invitations', async (trx) => {
    const nowMs = now();
    await requireInviter(trx, accountId, nowMs);
    const row = await listRows(trx, nowMs)
      .select('account_id')
      .where('mailed_invitations.id', '=', id)
      .executeTakeFirst();
    if (!row || row.has_joined || row.refused_at_ms !== null)
      throw new ApiError('invitation_not_found');
    if (!(await isUsable(trx, row.code, nowMs))) throw new ApiError('invitation_not_found');
    if (!mayRepeat(row, nowMs)) {
      const detail = 'Una invitación se envía otra vez, una sola, pasados tres días.';
      throw new ApiError('too_early', { detail });
    }
    if ((await countLeft(trx, mail.dailyLimit, nowMs)) < 1) throw tooMany(0);
    await trx
      .updateTable('mailed_invitations')
      // One that never left is not sent again.
      .set({ again_at_ms: row.sent_at_ms === null ? null : nowMs })
      .where('id', '=', id)
      .execute();
    const { email, account_id } = row;
    await queueMail(
      trx,
      { accountId: account_id, kind: 'invitation', email, invitationId: id },
      nowMs,
    );
  });
}

/**
 * Confirms the address of an account that was opened with an invitation mailed to it. Call it in the transaction that
 * stores the account.
 * @returns whether it was mailed to this address
 */
export async function confirmInvited(
  trx: Database,
  { id, email, invitationId }: { id: string; email: string; invitationId: string | null },
  nowMs: number,
): Promise<boolean> {
  if (invitationId === null) return false;
  const mailed = await trx
    .selectFrom('mailed_invitations')
    .select('email')
    .where('id', '=', invitationId)
    .executeTakeFirst();
  // Not by their keys: different domains may have the same one.
  if (mailed?.email.toLowerCase() !== email.toLowerCase()) return false;
  await trx
    .updateTable('accounts')
    .set({ email_confirmed_at_ms: nowMs })
    .where('id', '=', id)
    .execute();
  return true;
}

async function requireInviter(trx: Database, accountId: string, nowMs: number): Promise<void> {
  // Of all processes one at a time, so that two moderators neither invite the same person nor exceed the limit.
  await trx.selectFrom('site').select('id').where('id', '=', 1).forNoKeyUpdate().execute();
  await requireWriter(trx, accountId, nowMs);
  const { registration } = await settingsInForce(trx);
  if (registration === 'closed') throw new ApiError('registration_closed');
  await requireApproved(trx, accountId);
}

/** Whether the link of an invitation still lets somebody in, or let somebody in. */
async function isUsable(db: Database, code: string, nowMs: number): Promise<boolean> {
  const used = await db
    .selectFrom('invitations')
    .select('id')
    .where('code_hash', '=', codeHash(code))
    .where('used', '>', 0)
    .executeTakeFirst();
  if (used) return true;
  return requireInvitation(db, code, nowMs).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false;
      throw error;
    },
  );
}

/** How many more people can be invited today. */
async function countLeft(db: Database, dailyLimit: number, nowMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('mailed_invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_at_ms', '>', nowMs - dayMs)
    .executeTakeFirstOrThrow();
  const mails = await countMailsLeft(db, 'invitation', dailyLimit, nowMs);
  return Math.max(0, Math.min(perDay - Number(count), mails));
}

const tooMany = (left: number) =>
  new ApiError('too_many_requests', {
    detail: `Hoy se puede invitar por correo a ${left === 1 ? '1 persona' : `${left} personas`} más. Quita direcciones de la lista, o sigue mañana.`,
    headers: { 'retry-after': '86400' },
  });

async function insert(
  trx: Database,
  accountId: string,
  key: string,
  { email, name }: Invitee,
  nowMs: number,
): Promise<void> {
  const [id, code] = [uuidv7(), randomBytes(16).toString('base64url')];
  const times = { created_at_ms: nowMs, ends_at_ms: nowMs + keptMs };
  await trx
    .insertInto('invitations')
    .values({
      ...{ id, code_hash: codeHash(code), account_id: accountId, uses: 1, used: 0 },
      ...{ ...times, revoked_at_ms: null },
    })
    .execute();
  await trx
    .insertInto('mailed_invitations')
    .values({
      ...{ id, email, email_key: key, name, code, ...times },
      ...{ again_at_ms: null, sent_at_ms: null, refused_at_ms: null },
    })
    .execute();
  await queueMail(trx, { accountId, kind: 'invitation', email, invitationId: id }, nowMs);
}

/** The invitations whose links work, or were used. One whose address has an account counts as used. */
const listRows = (db: Database, nowMs: number) =>
  db
    .selectFrom('mailed_invitations')
    .innerJoin('invitations', 'invitations.id', 'mailed_invitations.id')
    .selectAll('mailed_invitations')
    .select(
      sql<number>`case when invitations.used > 0 or exists (select 1 from accounts
        where accounts.email_key = mailed_invitations.email_key and accounts.erased_at_ms is null)
        then 1 else 0 end`.as('has_joined'),
    )
    .select(
      sql<number>`case when exists (select 1 from mails where mails.invitation_id = mailed_invitations.id
        and mails.next_try_at_ms is not null) then 1 else 0 end`.as('is_queued'),
    )
    .where('mailed_invitations.ends_at_ms', '>', nowMs)
    .where(sql<SqlBool>`invitations.revoked_at_ms is null`);

type Row = Awaited<ReturnType<ReturnType<typeof listRows>['execute']>>[number];

/** Whether it may be mailed again: once, or as often as it could not be sent at all. */
const mayRepeat = (
  row: Pick<Row, 'is_queued' | 'again_at_ms' | 'created_at_ms' | 'sent_at_ms'>,
  nowMs: number,
) =>
  !row.is_queued &&
  (row.sent_at_ms === null || (row.again_at_ms === null && nowMs >= row.created_at_ms + againMs));

function toShown(row: Row, nowMs: number): MailedInvitation {
  const { id, email, name } = row;
  const state = row.has_joined ? 'joined' : row.refused_at_ms === null ? 'waiting' : 'refused';
  return {
    ...{ id, email, name, state },
    sentAt: row.sent_at_ms === null ? null : toInstant(row.sent_at_ms),
    mayRepeat: state === 'waiting' && mayRepeat(row, nowMs),
  };
}
