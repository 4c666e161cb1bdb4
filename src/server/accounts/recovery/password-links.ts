import { randomBytes } from 'node:crypto';
import type { User } from '../../../shared/accounts.ts';
import { writeAudit } from '../../database/audit-log.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { hashToken } from '../hash-token.ts';
import { lockOpenAccount } from '../open-account.ts';
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

/**
 * Deletes the links that these accounts made as moderators, or that moderators made for them. Call it in the transaction
 * after which they may not make them.
 */
export async function deleteModeratorLinks(trx: Database, accountIds: string[]): Promise<void> {
  await trx
    .deleteFrom('password_links')
    .where('made_by', 'is not', null)
    .where((eb) => eb.or([eb('made_by', 'in', accountIds), eb('account_id', 'in', accountIds)]))
    .execute();
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
    .select(['account_id', 'expires_at_ms'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!link || !isUnexpired(link.expires_at_ms, nowMs, linkMs))
    throw new ApiError('password_link_dead');
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
      .returning('expires_at_ms')
      .executeTakeFirst();
    if (!account || !link || !isUnexpired(link.expires_at_ms, now(), linkMs))
      throw new ApiError('password_link_dead');
    await setPassword(trx, { accountId, passwordHash }, now());
    const entry = { actor: 'password link', action: 'set-password', subject: accountId };
    await writeAudit(trx, entry, now());
    return account.user;
  });
}
