import { limits } from '../../../shared/limits.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { passwordText } from '../../http/password-text.ts';
import { verifyPassword } from './passwords.ts';

/**
 * Checks a signed-in person's password, for actions that a stolen token alone must not allow.
 * @returns the hash that the password was verified against, for `lockVerified`
 * @throws ApiError `wrong_password`; `unavailable` when too many checks are queued
 */
export async function requireCurrentPassword(
  db: Database,
  accountId: string,
  password: string,
): Promise<string> {
  const given = passwordText(password);
  if (given === undefined || Buffer.byteLength(given) > limits.passwordBytes)
    throw new ApiError('wrong_password');
  const account = await db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account || !(await verifyPassword(given, account.password_hash))) {
    throw new ApiError('wrong_password');
  }
  return account.password_hash;
}
