import type { EndedWays } from '../../../shared/accounts.ts';
import type { Database } from '../../database/tables.ts';
import type { Session } from '../sessions/session-guard.ts';
import { endSessions } from '../sessions/sessions.ts';

/**
 * Sets the password of an account and ends every other way to sign in to it: sessions, remembered browsers, password
 * links, recovery codes and passkeys. The owner is reminded to create new codes at the next sign-in. Call it in a
 * transaction, with the account's row locked.
 * @param current the session in which the owner changes the password. It stays open with its browser, and the passkeys
 * stay, because the settings page then lists them.
 * @param isByOther whether the password is set with a link from an admin or the operator. Passkeys and recovery codes
 * then stay, since the link may not have reached the owner.
 */
export async function setPassword(
  trx: Database,
  {
    accountId,
    passwordHash,
    current,
    isByOther = false,
  }: { accountId: string; passwordHash: string; current?: Session; isByOther?: boolean },
  nowMs: number,
): Promise<EndedWays> {
  await trx
    .updateTable('accounts')
    .set({ password_hash: passwordHash, ...(!isByOther && { recovery_reminded_at_ms: null }) })
    .where('id', '=', accountId)
    .execute();
  await endSessions(trx, accountId, current);
  await trx.deleteFrom('password_links').where('account_id', '=', accountId).execute();
  const end = async (table: 'passkeys' | 'recovery_codes') => {
    const ended = trx.deleteFrom(table).where('account_id', '=', accountId);
    return Number((await ended.executeTakeFirstOrThrow()).numDeletedRows);
  };
  const recoveryCodes = isByOther ? 0 : await end('recovery_codes');
  const passkeys = current || isByOther ? 0 : await end('passkeys');
  // Open challenges to add a passkey were started with the old password. Other challenges have expired.
  await trx
    .deleteFrom('passkey_challenges')
    .where('account_id', '=', accountId)
    .where('expires_at_ms', '>', nowMs)
    .execute();
  return { passkeys, recoveryCodes };
}
