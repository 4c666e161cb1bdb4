import { v7 as uuidv7 } from 'uuid';
import { createPasswordLink } from '../../accounts/recovery/password-links.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Actor } from '../actor.ts';
import { lockDeciding } from '../decisions/deciding-accounts.ts';
import { appendDecision } from '../decisions/decision-log.ts';
import { lockAccount } from './disable-account.ts';

/**
 * Creates a single-use link that sets a new password for the account. The public log records it, and the owner is told
 * of it.
 * @returns its token
 * @throws ApiError `user_not_found`, also when it is erased; `account_disabled`; `staff_only` when an admin requests a
 * link for a moderator; `not_found` when the caller is no longer an admin
 */
export function linkToPassword(actor: Actor, accountId: string): Promise<string> {
  return actor.withTransaction(`account ${accountId}`, async (trx) => {
    const [account] = await lockDeciding(trx, actor, [accountId]);
    if (actor.callerId !== undefined) {
      await requireAdmin(trx, actor.callerId);
      if (account?.role !== 'member') {
        const detail = 'A quien modera le da un enlace quien administra el servidor.';
        throw new ApiError('staff_only', { detail });
      }
    }
    const { disabled_at_ms } = await lockAccount(trx, accountId);
    if (disabled_at_ms !== null)
      throw new ApiError('account_disabled', { detail: 'Esa cuenta está desactivada.' });
    const token = await createPasswordLink(trx, accountId, actor.now(), actor.callerId);
    await logLink(trx, actor, accountId);
    return token;
  });
}

/** @throws ApiError `not_found` */
async function requireAdmin(trx: Database, callerId: string): Promise<void> {
  const caller = await trx
    .selectFrom('accounts')
    .select('role')
    .where('id', '=', callerId)
    .executeTakeFirst();
  if (caller?.role !== 'admin') throw new ApiError('not_found');
}

function logLink(trx: Database, { actorName, note, now }: Actor, accountId: string) {
  const decision = {
    ...({ action: 'passwordLink', category: 'other', subject_kind: 'user' } as const),
    ...{ id: uuidv7(), at_ms: now(), reason: note, subject_id: accountId },
    ...{ decided_by: actor, until_ms: null, undoes: null },
  };
  return appendDecision(trx, decision, [{ account_id: accountId, case_id: null }]);
}
