import { requireInvitation, takeInvitation } from '../../accounts/invitations/invitations.ts';
import { lockAccountRow } from '../../accounts/standing/open-account.ts';
import { requireWriter } from '../../accounts/standing/restrictions.ts';
import { type AuditServices, audited } from '../../database/audit-log.ts';
import { ApiError } from '../../http/api-error.ts';
import { trashMs } from '../../system/times.ts';
import { findClaimable, giveWords } from './claimable.ts';

/**
 * Gives the words of an imported person to a member who opened the link. Repeating it changes nothing.
 * @throws ApiError `invitation_required` when the link is not valid or others used it; errors of `requireWriter`
 */
export async function claimWords(
  { withTransaction, now }: AuditServices,
  accountId: string,
  code: string,
): Promise<void> {
  await withTransaction(`account ${accountId}`, async (trx) => {
    const nowMs = now();
    await requireWriter(trx, accountId, nowMs);
    const person = await findClaimable(trx, code);
    if (person?.claimedBy === accountId) return;
    if (!person || person.claimedBy !== null) throw refused();
    const { id } = await requireInvitation(trx, code, nowMs).catch(() => {
      throw refused();
    });
    await takeInvitation(trx, id, nowMs);
    await giveWords(trx, person, accountId, nowMs);
  });
}

const refused = () =>
  new ApiError('invitation_required', {
    detail: 'Ese enlace ya se usó, ha caducado o se retiró. Pide otro a quien te lo pasó.',
  });

/**
 * Takes words back that an account claimed in the last days: they are the imported person's again, as they were.
 * @param actor the admin, or `owner`
 * @param claimedBy only if this account has them
 * @throws ApiError `claim_not_found`
 */
export async function returnWords(
  services: AuditServices,
  actor: string,
  personId: string,
  claimedBy?: string,
): Promise<void> {
  await audited(services, actor, `account ${personId}`, async (trx, changed) => {
    await lockAccountRow(trx, personId);
    const claimed = trx
      .selectFrom('imported_people')
      .innerJoin('accounts', 'accounts.id', 'imported_people.account_id')
      .select('accounts.id')
      .where('accounts.id', '=', personId)
      // Otherwise the account that claimed them is being erased, and the person with it.
      .where('deletion_at_ms', 'is', null)
      .where('erased_at_ms', 'is', null)
      .where('claimed_at_ms', '>', services.now() - trashMs)
      .$if(claimedBy !== undefined, (query) => query.where('claimed_by', '=', claimedBy ?? ''));
    const { numUpdatedRows } = await trx
      .updateTable('imported_people')
      .set({ claimed_by: null, claimed_at_ms: null, claim_hash: null, is_moving: 1 })
      .where('account_id', 'in', claimed)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new ApiError('claim_not_found');
    changed('return-words', personId);
  });
}
