import { randomBytes } from 'node:crypto';
import type { User } from '../../../shared/accounts.ts';
import { writeAudit } from '../../database/audit-log.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { hashToken } from '../hash-token.ts';
import { lockOpenAccount } from '../open-account.ts';
import { findRestriction } from '../restrictions.ts';
import { isUnexpired } from '../sessions/session-times.ts';
import { setPassword } from './set-password.ts';

/** Lifetime of a link that sets a new password. */
export const linkMinutes = 30;
/** The same in milliseconds. */
export const linkMs = linkMinutes * 60_000;

/**
 * Creates a link for the account and invalidates the previous one.
 * @param made_by the moderator who makes it; null for the operator
 * @returns its token
 */
export async function createPasswordLink(
  db: Database,
  accountId: string,
  nowMs: number,
  made_by: string | null = null,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const link = { token_hash: hashToken(token), expires_at_ms: nowMs + linkMs, made_by };
  await db
    .insertInto('password_links')
    .values({ ...link, account_id: accountId })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(link))
    .execute();
  return token;
}

/** Whether who made a link may still make it: a moderator who may write, for an account that is not of the staff. */
async function isStillAllowed(
  db: Database,
  { account_id, made_by }: { account_id: string; made_by: string | null },
  nowMs: number,
): Promise<boolean> {
  if (made_by === null) return true;
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'role'])
    .where('id', 'in', [account_id, made_by])
    .where('disabled_at_ms', 'is', null)
    .execute();
  const roleOf = (id: string) => accounts.find((account) => account.id === id)?.role ?? 'member';
  if (roleOf(made_by) === 'member' || roleOf(account_id) !== 'member') return false;
  return (await findRestriction(db, made_by, nowMs)) === undefined;
}

/**
 * Checks that a link is valid, before the costly hashing.
 * @returns the id of its account
 * @throws ApiError `password_link_dead`
 */
export async function requirePasswordLink(
  db: Database,
  token: string,
  nowMs: number,
): Promise<string> {
  const link = await db
    .selectFrom('password_links')
    .select(['account_id', 'expires_at_ms', 'made_by'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!link || !isUnexpired(link.expires_at_ms, nowMs, linkMs))
    throw new ApiError('password_link_dead');
  if (!(await isStillAllowed(db, link, nowMs))) throw new ApiError('password_link_dead');
  return link.account_id;
}

/**
 * Sets the password of the link's account (from `requirePasswordLink`) and ends every other way into it. Of
 * several concurrent calls one succeeds. @returns the account @throws ApiError `password_link_dead`
 */
export async function usePasswordLink(
  { transact, now }: { transact: Transact; now: () => number },
  { token, accountId }: { token: string; accountId: string },
  passwordHash: string,
): Promise<User> {
  return transact(`account ${accountId}`, async (trx) => {
    const account = await lockOpenAccount(trx, 'id', accountId);
    const link = await trx
      .deleteFrom('password_links')
      .where('token_hash', '=', hashToken(token))
      .where('account_id', '=', accountId)
      .returning(['account_id', 'expires_at_ms', 'made_by'])
      .executeTakeFirst();
    if (!account || !link || !isUnexpired(link.expires_at_ms, now(), linkMs))
      throw new ApiError('password_link_dead');
    if (!(await isStillAllowed(trx, link, now()))) throw new ApiError('password_link_dead');
    await setPassword(trx, { accountId, passwordHash }, now());
    const entry = { actor: 'password link', action: 'set-password', subject: accountId };
    await writeAudit(trx, entry, now());
    return account.user;
  });
}
