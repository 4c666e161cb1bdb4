import { lockOpenAccount } from '../accounts/open-account.ts';
import { createPasswordLink } from '../accounts/recovery/password-links.ts';
import { endListed } from '../accounts/sessions/session-list.ts';
import { endSessions } from '../accounts/sessions/sessions.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { audited, type Moderator } from './audited.ts';

const actionOn = (id: string, action: string) => ({ row: `account ${id}`, action, subject: id });

/**
 * @param session as `readSessions` lists them; undefined ends all sessions of the account
 * @returns how many it ended
 * @throws ApiError `session_not_found`; `user_not_found`, also when the account is erased
 */
export function closeSessions(
  moderator: Moderator,
  accountId: string,
  session?: string,
): Promise<number> {
  return audited(moderator, actionOn(accountId, 'end-sessions'), async (trx) => {
    await lockAccount(trx, accountId);
    if (session === undefined) return endSessions(trx, accountId);
    if (!(await endListed(trx, accountId, session))) throw new ApiError('session_not_found');
    return 1;
  });
}

/**
 * Creates a link that sets a new password for the account, once.
 * @returns its token @throws ApiError `account_disabled`; `user_not_found`, also when it is erased
 */
export function linkToPassword(moderator: Moderator, accountId: string): Promise<string> {
  return audited(moderator, actionOn(accountId, 'password-link'), async (trx) => {
    const account = await lockAccount(trx, accountId);
    if (!account)
      throw new ApiError('account_disabled', { detail: 'Esa cuenta está desactivada.' });
    return createPasswordLink(trx, accountId, moderator.now());
  });
}

/** Prevents the account from signing in. @throws ApiError `user_not_found`, also when it is erased */
export async function disableAccount(moderator: Moderator, accountId: string): Promise<void> {
  await audited(moderator, actionOn(accountId, 'disable-account'), async (trx) => {
    await setDisabled(trx, accountId, moderator.now());
    await trx.deleteFrom('password_links').where('account_id', '=', accountId).execute();
  });
}

/** Lets the account sign in again. @throws ApiError `user_not_found`, also when it is erased */
export async function enableAccount(moderator: Moderator, accountId: string): Promise<void> {
  await audited(moderator, actionOn(accountId, 'enable-account'), (trx) =>
    setDisabled(trx, accountId, null),
  );
}

/** As `lockOpenAccount`; undefined when it is disabled. @throws ApiError `user_not_found`, also when it is erased */
async function lockAccount(trx: Database, accountId: string) {
  const open = await lockOpenAccount(trx, 'id', accountId);
  if (open) return open;
  const disabled = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (!disabled) throw new ApiError('user_not_found');
  return undefined;
}

async function setDisabled(
  trx: Database,
  accountId: string,
  disabled_at_ms: number | null,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ disabled_at_ms })
    .where('id', '=', accountId)
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ApiError('user_not_found');
  // When it is enabled too: an older version on the same database may have opened one while it was disabled.
  await endSessions(trx, accountId);
}
