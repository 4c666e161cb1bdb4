import { audited } from '../../database/audit-log.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { emailKey } from '../../mail/email-key.ts';
import { lockOpenAccount } from '../standing/open-account.ts';
import { codeHash } from './recovery-codes.ts';
import { setPassword } from './set-password.ts';

/**
 * Sets the password of an account with one of its recovery codes, and ends every other way to sign in to it, including
 * the other codes. Only one of several concurrent calls succeeds.
 * @param code the code as typed
 * @param passwordHash the hash of the new password
 * @throws ApiError `recovery_failed`, after the same queries for every reason
 */
export async function recoverAccount(
  services: { withTransaction: WithTransaction; now: () => number },
  { email, code, passwordHash }: { email: string; code: string; passwordHash: string },
): Promise<void> {
  const key = emailKey(email);
  await audited(services, 'recovery code', `e-mail ${key}`, async (trx, changed, announce) => {
    const account = (await lockOpenAccount(trx, 'email_key', key))?.user;
    // Without an account, query for a code that does not exist, so that the response takes as long.
    const used = await trx
      .deleteFrom('recovery_codes')
      .where('code_hash', '=', codeHash(account?.id ?? '', code))
      .returning('account_id')
      .executeTakeFirst();
    if (!account || !used) throw new ApiError('recovery_failed');
    await setPassword(trx, { accountId: account.id, passwordHash }, services.now());
    await announce({ kind: 'access', accountId: account.id });
    changed('set-password', account.id);
  });
}
