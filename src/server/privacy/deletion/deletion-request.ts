import type { DeletedContent, DeletionRequested } from '../../../shared/account-settings.ts';
import { waiting } from '../../accounts/standing/admission.ts';
import { lockVerified } from '../../accounts/standing/open-account.ts';
import { lockStaff, requireOtherAdmin } from '../../accounts/standing/staff.ts';
import { audited } from '../../database/audit-log.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { deletionMs } from '../../system/times.ts';
import { recordDeletion } from '../erasure/complete-ledger.ts';
import { contentOf, makeReceipt } from './deletion-receipt.ts';

interface Services {
  db: Database;
  /** Folder of this machine's ledger of erasures. */
  ledgerFolder: string;
  withTransaction: WithTransaction;
  now: () => number;
}

/**
 * Requests the erasure of the account after `limits.deletionDays`. Repeating a request with the same content changes
 * nothing; a request with other content restarts the waiting time. The request is in the ledger before this returns; when
 * the ledger cannot be written, it stands, and repeating it writes the ledger.
 * @param passwordHash the hash that the password was verified against
 * @throws ApiError `wrong_password` when the password has changed since; `last_admin`
 */
export async function requestDeletion(
  services: Services,
  account: { id: string; passwordHash: string },
  content: DeletedContent,
): Promise<DeletionRequested> {
  const { now } = services;
  const lockKey = `account ${account.id}`;
  const requested = await audited(services, 'owner', lockKey, async (trx, changed) => {
    const staff = await lockStaff(trx, account.id);
    await lockVerified(trx, account.id, account.passwordHash);
    await requireOtherAdmin(trx, staff, account.id, now());
    const current = await readDeletion(trx, account.id);
    if (current?.receipt.content === content) return current;
    const nowMs = now();
    const times = { nowMs, endsAtMs: nowMs + deletionMs };
    changed('request-deletion', account.id);
    return scheduleDeletion(trx, account.id, content, times);
  });
  await recordDeletion(services, account.id);
  return requested;
}

export async function scheduleDeletion(
  trx: Database,
  accountId: string,
  content: DeletedContent,
  { nowMs, endsAtMs }: { nowMs: number; endsAtMs: number },
): Promise<DeletionRequested> {
  await trx
    .updateTable('accounts')
    .set({
      deletion_at_ms: endsAtMs,
      deletion_content: content,
      deletion_requested_at_ms: nowMs,
    })
    .where('id', '=', accountId)
    .execute();
  const receipt = await makeReceipt(trx, accountId, content, nowMs);
  return { receipt, endsAt: toInstant(endsAtMs) };
}

/**
 * Cancels the request to erase the account. The ledger says so before this returns.
 * @param services.actorName the operator, who can also cancel what is due but has not begun; otherwise it is the owner
 * @returns whether there was a request
 * @throws ApiError `not_restorable` when its erasure has begun, or, for the owner, is due
 */
export async function cancelDeletion(
  services: Services & { actorName?: string; note?: string },
  accountId: string,
): Promise<boolean> {
  const { now, actorName } = services;
  const [actor, lockKey] = [actorName ?? 'owner', `account ${accountId}`];
  const isCancelled = await audited(services, actor, lockKey, async (trx, changed) => {
    const account = await trx
      .selectFrom('accounts')
      .select(['deletion_requested_at_ms', 'deletion_at_ms', 'erased_at_ms', 'admission'])
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    const tooLate = new ApiError('not_restorable', {
      detail: 'Ya pasó el plazo: la cuenta se está borrando. Puedes crear otra.',
    });
    if (!account || account.erased_at_ms !== null) throw tooLate;
    // An account that waits for approval has a deletion time, but its owner has not requested it.
    if (account.deletion_requested_at_ms === null) return false;
    // The operator may have asked for it at once, and a clock in doubt holds it for an hour.
    if (actorName === undefined && (account.deletion_at_ms ?? 0) <= now()) throw tooLate;
    const { deletion_at_ms, deletion_content } = waiting(now());
    const isWaiting = account.admission === 'pending' || account.admission === 'refused';
    await trx
      .updateTable('accounts')
      .set({
        // One that waits for approval, or was refused, is erased after the days of a new one.
        deletion_at_ms: isWaiting ? deletion_at_ms : null,
        deletion_content: isWaiting ? deletion_content : null,
        deletion_requested_at_ms: null,
      })
      .where('id', '=', accountId)
      .execute();
    changed('cancel-deletion', accountId);
    return true;
  });
  await recordDeletion(services, accountId);
  return isCancelled;
}

/** The requested deletion, with the receipt as of now; null when there is none. */
export async function readDeletion(
  db: Database,
  accountId: string,
): Promise<DeletionRequested | null> {
  const account = await db
    .selectFrom('accounts')
    .select(['deletion_at_ms', 'deletion_content', 'deletion_requested_at_ms'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) return null;
  const { deletion_at_ms, deletion_content, deletion_requested_at_ms } = account;
  if (deletion_at_ms === null || deletion_requested_at_ms === null) return null;
  const content = contentOf(deletion_content);
  return {
    receipt: await makeReceipt(db, accountId, content, deletion_requested_at_ms),
    endsAt: toInstant(deletion_at_ms),
  };
}
