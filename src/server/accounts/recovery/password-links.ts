import { randomBytes } from 'node:crypto';
import type { EndedWays, User } from '../../../shared/accounts.ts';
import { limits } from '../../../shared/limits.ts';
import { audited } from '../../database/audit-log.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { hashOfToken } from '../../mail/link-tokens.ts';
import { mailToken } from '../../mail/queue-mail.ts';
import { dayMs } from '../../system/times.ts';
import { lockOpenAccount } from '../standing/open-account.ts';
import { setPassword } from './set-password.ts';

/** Lifetime of a link that sets a new password. */
export const linkMs = limits.passwordLinkMinutes * 60_000;
/** How long each sign-in tells the owner that a link was made, because its maker may have used it. */
const toldMs = 30 * dayMs;

/**
 * Creates a link that an admin or the operator gives to the account's owner, and invalidates the previous one.
 * @param made_by null for the operator
 * @returns its token
 */
export async function createPasswordLink(
  db: Database,
  accountId: string,
  nowMs: number,
  made_by: string | null = null,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .deleteFrom('password_links')
    .where('account_id', '=', accountId)
    .where('mail_id', 'is', null)
    .execute();
  await insertLink(db, { accountId, token, made_by, mail_id: null }, nowMs);
  return token;
}

/**
 * Creates the link of a mail to the account's confirmed address. Earlier ones stay valid: a stranger who requests one
 * must not invalidate the owner's.
 */
export async function createMailedLink(
  db: Database,
  accountId: string,
  mailId: string,
  nowMs: number,
): Promise<void> {
  const token = await mailToken(db, accountId, mailId);
  await insertLink(db, { accountId, token, made_by: null, mail_id: mailId }, nowMs);
}

async function insertLink(
  db: Database,
  {
    accountId: account_id,
    token,
    ...origin
  }: { accountId: string; token: string; made_by: string | null; mail_id: string | null },
  nowMs: number,
): Promise<void> {
  const link = { account_id, token_hash: hashOfToken(token), expires_at_ms: nowMs + linkMs };
  await db
    .insertInto('password_links')
    .values({ ...link, ...origin })
    .execute();
}

/**
 * Deletes the links that these accounts made as admins, or that admins made for them. Call it in the transaction that
 * takes that right away.
 */
export async function deleteModeratorLinks(trx: Database, accountIds: string[]): Promise<void> {
  await trx
    .deleteFrom('password_links')
    .where('made_by', 'is not', null)
    .where((eb) => eb.or([eb('made_by', 'in', accountIds), eb('account_id', 'in', accountIds)]))
    .execute();
}

/** Time of the last link made for an account by an admin or the operator, while its owner is still told of it. */
export async function findLastLink(
  db: Database,
  accountId: string,
  nowMs: number,
): Promise<number | null> {
  const { at_ms } = await db
    .selectFrom('decision_accounts')
    .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
    .select(({ fn }) => fn.max('at_ms').as('at_ms'))
    .where('account_id', '=', accountId)
    .where('action', '=', 'passwordLink')
    .where('at_ms', '>', nowMs - toldMs)
    .executeTakeFirstOrThrow();
  return at_ms;
}

/**
 * Sets the password of the link's account (from `findLinkAccount`) and ends its sessions; if the link was mailed to
 * the confirmed address, also deletes passkeys and recovery codes. Only one of several concurrent calls succeeds.
 * @returns the account, whether the link was mailed to its address, and the numbers of deleted passkeys and codes
 * @throws ApiError `password_link_dead`
 */
export async function usePasswordLink(
  services: { withTransaction: WithTransaction; now: () => number },
  { token, accountId }: { token: string; accountId: string },
  passwordHash: string,
): Promise<{ user: User; isMailed: boolean; ended: EndedWays }> {
  const lockKey = `account ${accountId}`;
  return audited(services, 'password link', lockKey, async (trx, changed, announce) => {
    const nowMs = services.now();
    const account = await lockOpenAccount(trx, 'id', accountId);
    const link = await trx
      .deleteFrom('password_links')
      .where('token_hash', '=', hashOfToken(token))
      .where('account_id', '=', accountId)
      .returning(['expires_at_ms', 'mail_id'])
      .executeTakeFirst();
    if (!account || !link || link.expires_at_ms <= nowMs) throw new ApiError('password_link_dead');
    const isMailed = link.mail_id !== null;
    const change = { accountId, passwordHash, isByOther: !isMailed };
    const ended = await setPassword(trx, change, nowMs);
    await announce({ kind: 'access', accountId });
    changed('set-password', accountId);
    return { user: account.user, isMailed, ended };
  });
}
