import type { DeletionRequested } from '../../../shared/account-settings.ts';
import type { Actor } from '../../accounts/actor.ts';
import { lockStaff, requireOtherAdmin } from '../../accounts/standing/staff.ts';
import { audited } from '../../database/audit-log.ts';
import { ApiError } from '../../http/api-error.ts';
import { readDeletion, scheduleDeletion } from '../../privacy/deletion/deletion-request.ts';
import { recordDeletion } from '../../privacy/erasure/complete-ledger.ts';
import { deletionMs } from '../../system/times.ts';

/**
 * Requests the erasure of an account and everything it wrote, as its owner could: after the days in which the owner can
 * cancel it, or now, within an hour if a server is running. The request is in the ledger before this returns.
 * @returns the receipt, or the earlier one when this was already requested
 * @throws ApiError `user_not_found`, also when it is erased; `last_admin`
 */
export async function requestErasure(
  actor: Actor & { ledgerFolder: string },
  accountId: string,
  isNow: boolean,
): Promise<DeletionRequested> {
  const lockKey = `account ${accountId}`;
  const requested = await audited(actor, actor.actorName, lockKey, async (trx, changed) => {
    const nowMs = actor.now();
    const staff = await lockStaff(trx, accountId);
    if (!staff.some(({ id }) => id === accountId)) throw new ApiError('user_not_found');
    await requireOtherAdmin(trx, staff, accountId, nowMs);
    const endsAtMs = isNow ? nowMs : nowMs + deletionMs;
    const current = await readDeletion(trx, accountId);
    const isSooner = !current || Date.parse(current.endsAt) > endsAtMs;
    if (current?.receipt.content === 'erase' && !isSooner) return current;
    changed(isNow ? 'erase-account-now' : 'request-deletion', accountId);
    return scheduleDeletion(trx, accountId, 'erase', { nowMs, endsAtMs });
  });
  await recordDeletion(actor, accountId);
  return requested;
}
