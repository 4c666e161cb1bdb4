import { v7 as uuidv7 } from 'uuid';
import type { Actor, Moderator } from '../../accounts/actor.ts';
import { createPasswordLink } from '../../accounts/recovery/password-links.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { lockDeciding } from '../decisions/deciding-accounts.ts';
import { appendDecision } from '../decisions/decision-log.ts';

/**
 * Creates a single-use link that sets a new password for the account. The public log records it, and the owner is told
 * of it.
 * @returns its token
 * @throws ApiError `user_not_found`, also when it is erased; `account_disabled`; `staff_only` when an admin requests a
 * link for a moderator; `not_found` when the caller is no longer an admin
 */
export function linkToPassword(actor: Actor, accountId: string): Promise<string> {
  return actor.withTransaction(`account ${accountId}`, async (trx) => {
    const { callerId } = actor;
    if (callerId !== undefined) await requireMember(trx, { ...actor, callerId }, accountId);
    const { disabled_at_ms } = await lockAccount(trx, accountId);
    if (disabled_at_ms !== null)
      throw new ApiError('account_disabled', { detail: 'Esa cuenta está desactivada.' });
    const token = await createPasswordLink(trx, accountId, actor.now(), callerId);
    await logLink(trx, actor, accountId);
    return token;
  });
}

/** Locks the accounts of the admin and of the member. @throws ApiError `staff_only`, `not_found`, `user_not_found` */
async function requireMember(trx: Database, admin: Moderator, accountId: string): Promise<void> {
  const [account] = await lockDeciding(trx, admin, [accountId]);
  const caller = await trx
    .selectFrom('accounts')
    .select('role')
    .where('id', '=', admin.callerId)
    .executeTakeFirst();
  if (caller?.role !== 'admin') throw new ApiError('not_found');
  if (account?.role !== 'member') {
    const detail = 'A quien modera le da un enlace quien administra el servidor.';
    throw new ApiError('staff_only', { detail });
  }
}

/**
 * Locks the row of an account, disabled or not, until the transaction ends, so that no session can be opened.
 * @throws ApiError `user_not_found`, also when it is erased
 */
async function lockAccount(trx: Database, accountId: string) {
  const row = await trx
    .selectFrom('accounts')
    .select('disabled_at_ms')
    .where('id', '=', accountId)
    .where('erased_at_ms', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw new ApiError('user_not_found');
  return row;
}

function logLink(trx: Database, { actorName, note, now }: Actor, accountId: string) {
  const decision = {
    ...({ action: 'passwordLink', category: 'other', subject_kind: 'user' } as const),
    id: uuidv7(),
    at_ms: now(),
    reason: note,
    subject_id: accountId,
    decided_by: actorName,
    until_ms: null,
    undoes: null,
  };
  return appendDecision(trx, decision, [{ account_id: accountId, case_id: null }]);
}
