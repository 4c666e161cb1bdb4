import type { User } from '../../../shared/accounts.ts';
import { limits } from '../../../shared/limits.ts';
import { isPostgres } from '../../database/is-postgres.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { passwordText } from '../../http/password-text.ts';
import { verifyPassword } from './passwords.ts';

/**
 * Checks the password of a signed-in person, for actions that a stolen token alone must not allow.
 * @param caller an `addressKey`, for fairness between clients
 * @returns the hash that the password was verified against, for `lockAccount`
 * @throws ApiError `wrong_password`; `unavailable` when too many checks of the caller wait
 */
export async function requireCurrentPassword(
  db: Database,
  accountId: string,
  password: string,
  caller: string,
): Promise<string> {
  const given = passwordText(password);
  if (given === undefined || Buffer.byteLength(given) > limits.passwordBytes)
    throw new ApiError('wrong_password');
  const account = await db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account || !(await verifyPassword(given, account.password_hash, caller))) {
    throw new ApiError('wrong_password');
  }
  return account.password_hash;
}

/**
 * Locks the row of an account until the transaction ends.
 * @param passwordHash the hash that the password was verified against
 * @throws ApiError `wrong_password` when the password has changed or the account was disabled since
 */
export async function lockAccount(
  trx: Database,
  accountId: string,
  passwordHash: string,
): Promise<void> {
  const account = await lockOpenAccount(trx, 'id', accountId);
  if (account?.passwordHash !== passwordHash) throw new ApiError('wrong_password');
}

/**
 * Locks the row of an account that may sign in until the transaction ends, so that a change of the
 * password cannot miss a session that is opened meanwhile. Call it before taking any other lock.
 * @returns undefined when there is no such account, or it is disabled or erased
 */
export async function lockOpenAccount(
  trx: Database,
  column: 'id' | 'email_key',
  value: string,
): Promise<{ user: User; passwordHash: string } | undefined> {
  const account = trx
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'img', 'password_hash'])
    .where(column, '=', value)
    .where('disabled_at_ms', 'is', null)
    .where('erased_at_ms', 'is', null);
  const row = await (isPostgres(trx) ? account.forNoKeyUpdate() : account).executeTakeFirst();
  if (!row) return undefined;
  const { password_hash, ...user } = row;
  return { user, passwordHash: password_hash };
}
