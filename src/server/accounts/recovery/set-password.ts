import type { Database } from '../../database/tables.ts';
import type { Session } from '../sessions/session-guard.ts';
import { endSessions } from '../sessions/sessions.ts';

/**
 * Sets the password of an account and ends every other way into it: sessions, remembered browsers, the link
 * to a new password, recovery codes and passkeys. The owner is reminded of new codes at the next sign-in.
 * Call it in a transaction, with the account's row locked.
 * @param current the session in which the owner changes the password. It stays open with its browser, and the
 * passkeys stay too, because the settings page then lists them.
 * @param isByLink leaves the owner passkeys and recovery codes, since who made the link may not be the owner
 */
export async function setPassword(
  trx: Database,
  {
    accountId,
    passwordHash,
    current,
    isByLink = false,
  }: { accountId: string; passwordHash: string; current?: Session; isByLink?: boolean },
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ password_hash: passwordHash, ...(!isByLink && { recovery_reminded_at_ms: null }) })
    .where('id', '=', accountId)
    .execute();
  await endSessions(trx, accountId, current);
  await trx.deleteFrom('password_links').where('account_id', '=', accountId).execute();
  if (!isByLink)
    await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
  if (!current && !isByLink)
    await trx.deleteFrom('passkeys').where('account_id', '=', accountId).execute();
  // The old password was verified for open challenges, which add passkeys. Other challenges have expired.
  await trx
    .deleteFrom('passkey_challenges')
    .where('account_id', '=', accountId)
    .where('expires_at_ms', '>', nowMs)
    .execute();
}
