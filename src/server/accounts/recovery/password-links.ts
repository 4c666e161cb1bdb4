import { hash, randomBytes } from 'node:crypto';
import type { User } from '../../../shared/accounts.ts';
import { writeAudit } from '../../database/audit-log.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { dayMs } from '../../times.ts';
import { lockOpenAccount } from '../open-account.ts';
import { isUnexpired } from '../sessions/session-times.ts';
import { setPassword } from './set-password.ts';

/** Lifetime of a link that sets a new password. */
export const linkMinutes = 30;
/** The same in milliseconds. */
export const linkMs = linkMinutes * 60_000;
/** How long the owner is told of a link at each sign-in: who made it may be the first to sign in. */
const toldMs = 30 * dayMs;

/**
 * Creates a link for the account and invalidates the previous one.
 * @param made_by the admin who makes it; null for the operator, and for an owner who asks for it by mail
 * @returns its token
 */
export async function createPasswordLink(
  db: Database,
  accountId: string,
  nowMs: number,
  made_by: string | null = null,
  token = randomBytes(32).toString('base64url'),
): Promise<string> {
  const link = {
    token_hash: hash('sha256', token, 'base64url'),
    expires_at_ms: nowMs + linkMs,
    made_by,
  };
  await db
    .insertInto('password_links')
    .values({ ...link, account_id: accountId })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(link))
    .execute();
  return token;
}

/**
 * Deletes the links that these accounts made as admins, or that admins made for them. Call it in the transaction
 * after which they may not make them.
 */
export async function deleteModeratorLinks(trx: Database, accountIds: string[]): Promise<void> {
  await trx
    .deleteFrom('password_links')
    .where('made_by', 'is not', null)
    .where((eb) => eb.or([eb('made_by', 'in', accountIds), eb('account_id', 'in', accountIds)]))
    .execute();
}

/** When a link to a new password of an account was last made, for as long as its owner is told at each sign-in. */
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

/** @returns the id of the account of a valid link */
export async function findPasswordLink(
  db: Database,
  token: string,
  nowMs: number,
): Promise<string | undefined> {
  const link = await db
    .selectFrom('password_links')
    .select(['account_id', 'expires_at_ms'])
    .where('token_hash', '=', hash('sha256', token, 'base64url'))
    .executeTakeFirst();
  return link && isUnexpired(link.expires_at_ms, nowMs, linkMs) ? link.account_id : undefined;
}

/**
 * Sets the password of the link's account (from `findPasswordLink`) and ends its sessions. Passkeys and recovery codes
 * stay. Of several concurrent calls one succeeds. @returns the account @throws ApiError `password_link_dead`
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
      .where('token_hash', '=', hash('sha256', token, 'base64url'))
      .where('account_id', '=', accountId)
      .returning('expires_at_ms')
      .executeTakeFirst();
    if (!account || !link || !isUnexpired(link.expires_at_ms, now(), linkMs))
      throw new ApiError('password_link_dead');
    await setPassword(trx, { accountId, passwordHash, isByLink: true }, now());
    const entry = { actor: 'password link', action: 'set-password', subject: accountId };
    await writeAudit(trx, entry, now());
    return account.user;
  });
}
