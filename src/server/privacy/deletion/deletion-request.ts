import type { DeletedContent, DeletionRequested } from '../../../shared/account-settings.ts';
import { lockVerified } from '../../accounts/standing/open-account.ts';
import { lockStaff, requireOtherAdmin } from '../../accounts/standing/staff.ts';
import { writeAudit } from '../../database/audit-log.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { deletionMs } from '../../system/times.ts';
import { contentOf, makeReceipt } from './deletion-receipt.ts';

interface Services {
  withTransaction: WithTransaction;
  now: () => number;
}

/**
 * Requests the erasure of the account after `limits.deletionDays`. Repeating a request with the same content changes
 * nothing; a request with other content restarts the waiting time.
 * @param passwordHash the hash that the password was verified against
 * @throws ApiError `wrong_password` when the password has changed since; `last_admin`
 */
export function requestDeletion(
  { withTransaction, now }: Services,
  account: { id: string; passwordHash: string },
  content: DeletedContent,
): Promise<DeletionRequested> {
  return withTransaction(`account ${account.id}`, async (trx) => {
    const staff = await lockStaff(trx, account.id);
    await lockVerified(trx, account.id, account.passwordHash);
    await requireOtherAdmin(trx, staff, account.id, now());
    const current = await readDeletion(trx, account.id);
    if (current?.receipt.content === content) return current;
    const nowMs = now();
    const times = { nowMs, endsAtMs: nowMs + deletionMs };
    const requested = await scheduleDeletion(trx, account.id, content, times);
    const entry = { actor: 'owner', action: 'request-deletion', subject: account.id };
    await writeAudit(trx, entry, nowMs);
    return requested;
  });
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
 * Cancels the request to erase the account.
 * @param services.actorName for the audit log
 * @returns whether there was a request
 * @throws ApiError `not_restorable` when its erasure has begun
 */
export function cancelDeletion(
  {
    withTransaction,
    now,
    actorName = 'owner',
    note = '',
  }: Services & { actorName?: string; note?: string },
  accountId: string,
): Promise<boolean> {
  return withTransaction(`account ${accountId}`, async (trx) => {
    const account = await trx
      .updateTable('accounts')
      .set((eb) => ({ erased_at_ms: eb.ref('erased_at_ms') }))
      .where('id', '=', accountId)
      .returning(['deletion_requested_at_ms', 'erased_at_ms'])
      .executeTakeFirst();
    if (!account || account.erased_at_ms !== null) {
      throw new ApiError('not_restorable', {
        detail: 'Ya pasó el plazo: la cuenta se está borrando. Puedes crear otra.',
      });
    }
    // An account that waits for approval has a deletion time, but its owner has not requested it.
    if (account.deletion_requested_at_ms === null) return false;
    await trx
      .updateTable('accounts')
      .set({ deletion_at_ms: null, deletion_content: null, deletion_requested_at_ms: null })
      .where('id', '=', accountId)
      .execute();
    await writeAudit(
      trx,
      { actor: actorName, note, action: 'cancel-deletion', subject: accountId },
      now(),
    );
    return true;
  });
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
