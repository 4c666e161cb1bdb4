import { randomBytes } from 'node:crypto';
import { limits } from '../../../shared/limits.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { codeHash, insertInvitation } from '../../accounts/invitations/invitations.ts';
import { lockAccountRow } from '../../accounts/standing/open-account.ts';
import { requireWriter } from '../../accounts/standing/restrictions.ts';
import { type AuditServices, audited } from '../../database/audit-log.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { hashOfToken } from '../../mail/link-tokens.ts';

/** An imported person, and the channel of the chat. */
export interface PersonPlace {
  channelId: string;
  personId: string;
}

/**
 * Makes a link for an imported person, which ends the previous one of its kind. Only hashes are stored.
 * @returns its path
 * @throws ApiError `user_not_found`; `words_taken` when the words were claimed, are to be withdrawn or are all hidden; errors of `requireWriter`
 */
export async function makePersonLink(
  services: AuditServices,
  staffId: string,
  place: PersonPlace,
  kind: 'claim' | 'withdraw',
): Promise<string> {
  const { channelId, personId } = place;
  return audited(services, staffId, `account ${staffId}`, async (trx, changed) => {
    const nowMs = services.now();
    await requireWriter(trx, staffId, nowMs);
    await lockOpenPerson(trx, place, kind);
    changed(`${kind}-link`, personId);
    if (kind === 'withdraw') {
      const token = randomBytes(16).toString('base64url');
      await storeHash(trx, place, { withdraw_hash: hashOfToken(token) });
      return `/withdraw/${token}`;
    }
    await revokeClaimLinks(trx, personId, nowMs);
    const validity = { uses: 1, days: limits.longestInvitationDays };
    const { code } = await insertInvitation(trx, staffId, validity, nowMs);
    await storeHash(trx, place, { claim_hash: codeHash(code) });
    return `${pageRoutes.register}#${code}${pageRoutes.channel(channelId)}`;
  });
}

/** Revokes the links with which the words of a person can be claimed, whichever of their names has them. */
export async function revokeClaimLinks(
  trx: Database,
  personId: string,
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ revoked_at_ms: nowMs })
    .where('code_hash', 'in', (eb) =>
      eb
        .selectFrom('imported_people')
        .select(({ fn, val }) => fn.coalesce('claim_hash', val('')).as('claim_hash'))
        .where('account_id', '=', personId),
    )
    .where('revoked_at_ms', 'is', null)
    .execute();
}

/** Locks a person whose words nobody has claimed or asked to withdraw. */
async function lockOpenPerson(
  trx: Database,
  { channelId, personId }: PersonPlace,
  kind: 'claim' | 'withdraw',
) {
  await lockAccountRow(trx, personId);
  const person = await trx
    .selectFrom('imported_people')
    .innerJoin('accounts', 'accounts.id', 'imported_people.account_id')
    .select(['claimed_by', 'deletion_at_ms', 'erased_at_ms', 'hidden_by'])
    .where('channel_id', '=', channelId)
    .where('account_id', '=', personId)
    .orderBy('source_hash')
    .executeTakeFirst();
  if (!person || person.erased_at_ms !== null) throw new ApiError('user_not_found');
  const isHidden = kind === 'claim' && person.hidden_by !== null;
  if (person.claimed_by !== null || person.deletion_at_ms !== null || isHidden)
    throw new ApiError('words_taken');
}

/** Stores the hash of a link with the person's first name in the chat, since hashes are unique, in place of all earlier ones. */
async function storeHash(
  trx: Database,
  { channelId, personId }: PersonPlace,
  hash: { claim_hash: string } | { withdraw_hash: string },
): Promise<void> {
  await trx
    .updateTable('imported_people')
    .set('claim_hash' in hash ? { claim_hash: null } : { withdraw_hash: null })
    .where('channel_id', '=', channelId)
    .where('account_id', '=', personId)
    .execute();
  const first = trx
    .selectFrom('imported_people')
    .select(({ fn }) => fn.min('source_hash').as('source_hash'))
    .where('channel_id', '=', channelId)
    .where('account_id', '=', personId);
  await trx
    .updateTable('imported_people')
    .set(hash)
    .where('channel_id', '=', channelId)
    .where('source_hash', '=', first)
    .execute();
}
