import type { DeletedContent } from '../../../shared/account-settings.ts';
import { lockAccountRow } from '../../accounts/standing/open-account.ts';
import { audited } from '../../database/audit-log.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { hashOfToken } from '../../mail/link-tokens.ts';
import { scheduleDeletion } from '../../privacy/deletion/deletion-request.ts';
import { recordDeletion } from '../../privacy/erasure/complete-ledger.ts';
import type { ErasureServices } from '../../privacy/erasure/erasure-services.ts';
import { deletionMs } from '../../system/times.ts';
import { countWritten } from './claimable.ts';
import { revokeClaimLinks } from './make-link.ts';

/**
 * The imported person whom a link lets withdraw their words.
 * @throws ApiError `not_found`, also when an account has claimed them
 */
export async function requireWithdrawer(db: Database, token: string) {
  const found = await db
    .selectFrom('imported_people')
    .innerJoin('accounts', 'accounts.id', 'imported_people.account_id')
    .innerJoin('channels', 'channels.id', 'channel_id')
    .select(['accounts.id', 'accounts.name', 'channels.name as channel'])
    .select(['deletion_at_ms', 'deletion_content', 'erased_at_ms'])
    .select(countWritten.as('comments'))
    .where('withdraw_hash', '=', hashOfToken(token))
    .executeTakeFirst();
  if (!found) throw new ApiError('not_found');
  return found;
}

/**
 * Requests the erasure of an imported person, as of an account. Repeating it changes nothing; other content begins the days
 * anew. It revokes the link to claim them. The request is in the ledger before this returns.
 * @throws ApiError `not_found`, also when the person is erased
 */
export async function withdrawWords(
  services: ErasureServices,
  token: string,
  content: DeletedContent,
): Promise<void> {
  const { db, now } = services;
  const { id } = await requireWithdrawer(db, token);
  await audited(services, 'owner', `account ${id}`, async (trx, changed) => {
    await lockAccountRow(trx, id);
    // Read anew under the lock: an account may have claimed the words.
    const person = await requireWithdrawer(trx, token);
    if (person.erased_at_ms !== null) throw new ApiError('not_found');
    if (person.deletion_at_ms !== null && person.deletion_content === content) return;
    const nowMs = now();
    await scheduleDeletion(trx, id, content, { nowMs, endsAtMs: nowMs + deletionMs });
    await revokeClaimLinks(trx, id, nowMs);
    changed('request-deletion', id);
  });
  await recordDeletion(services, id);
}
