import { expressionBuilder } from 'kysely';
import type { User } from '../../../shared/accounts.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';

/*
 * A route's guard checks the session before the request is read. Before the request writes, the account may be disabled
 * or erased and the session ended. So a transaction checks again, depending on what it writes:
 * - Published content: `requireWriter` in restrictions.ts, before any other lock.
 * - Private data: `openAccount` and `requireOpenAccount`, which take no lock.
 * - The account, its sessions or other ways to sign in: it locks the account's row first, with `lockSignedIn` for the
 * session of the request, `lockVerified` after the password was verified (both if a change needs both), or
 * `lockOpenAccount` without a session. A token that was read before the lock, such as a cookie or a link, is read again
 * under it.
 */

/**
 * A column for the RETURNING clause of a statement that stores content: `open_account` is null when the account is not
 * open.
 */
export function openAccount(accountId: string) {
  return expressionBuilder<Tables>()
    .selectFrom('accounts')
    .select('accounts.id')
    .where('accounts.id', '=', accountId)
    .where('accounts.disabled_at_ms', 'is', null)
    .where('accounts.erased_at_ms', 'is', null)
    .as('open_account');
}

/**
 * Call it in the transaction of the statement, which the error rolls back.
 * @param row what the statement returned; undefined when it stored nothing
 * @throws ApiError `not_signed_in`
 */
export function requireOpenAccount(row: { open_account: string | null } | undefined): void {
  if (row?.open_account === null) throw new ApiError('not_signed_in');
}

/**
 * Locks an account's row until the transaction ends, so that its writes and decisions about it run one after the other.
 * Call it before taking any other lock.
 */
export async function lockAccountRow(trx: Database, accountId: string): Promise<void> {
  const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId);
  await account.forNoKeyUpdate().execute();
}

/**
 * Locks the row of an account that may sign in until the transaction ends, so that a change of password cannot miss a
 * session being opened. Call it before taking any other lock.
 * @returns undefined when there is no such account, or it is disabled or erased
 */
export async function lockOpenAccount(
  trx: Database,
  column: 'id' | 'email_key',
  value: string,
): Promise<{ user: User; passwordHash: string } | undefined> {
  const row = await trx
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'img', 'password_hash'])
    .where(column, '=', value)
    .where('disabled_at_ms', 'is', null)
    .where('erased_at_ms', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const { password_hash, ...user } = row;
  return { user, passwordHash: password_hash };
}

/** Like `lockOpenAccount`. @throws ApiError `not_signed_in` when the account is not open or the session has ended */
export async function lockSignedIn(
  trx: Database,
  { id, user }: { id: string; user: Pick<User, 'id'> },
): Promise<void> {
  const account = await lockOpenAccount(trx, 'id', user.id);
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', user.id)
    .executeTakeFirst();
  if (!account || !session) throw new ApiError('not_signed_in');
}

/**
 * Like `lockOpenAccount`.
 * @param passwordHash the hash that `requireCurrentPassword` verified the password against
 * @throws ApiError `wrong_password` when the account is not open or the password has changed
 */
export async function lockVerified(
  trx: Database,
  accountId: string,
  passwordHash: string,
): Promise<void> {
  const account = await lockOpenAccount(trx, 'id', accountId);
  if (account?.passwordHash !== passwordHash) throw new ApiError('wrong_password');
}
