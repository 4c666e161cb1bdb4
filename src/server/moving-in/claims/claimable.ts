import { sql } from 'kysely';
import { codeHash } from '../../accounts/invitations/invitations.ts';
import { lockAccountRow } from '../../accounts/standing/open-account.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';

/*
 * The link with which a person claims what they wrote in a chat is an invitation of the staff: it is valid as long as that is,
 * and `imported_people.claim_hash` is the hash of its code. Whoever uses it up becomes the account in `claimed_by`, to whom the
 * pass gives the comments (move-words.ts).
 */

export interface Claimable {
  /** Id of the imported person. */
  id: string;
  channelId: string;
  /** The account that used the link. */
  claimedBy: string | null;
}

/** Imported people whose words can be given: nobody withdraws them, and no decision hides all of them. */
const selectClaimable = (db: Database) =>
  db
    .selectFrom('imported_people')
    .innerJoin('accounts', 'accounts.id', 'imported_people.account_id')
    .where('deletion_at_ms', 'is', null)
    .where('erased_at_ms', 'is', null)
    .where('hidden_by', 'is', null);

/** Finds whose words the link with this code gives. It may have been used. */
export async function findClaimable(db: Database, code: string): Promise<Claimable | undefined> {
  return selectClaimable(db)
    .select(['accounts.id', 'channel_id as channelId', 'claimed_by as claimedBy'])
    .where('claim_hash', '=', codeHash(code))
    .executeTakeFirst();
}

/** Describes the words to whoever has the link. */
export async function describeWords(db: Database, { id, channelId }: Claimable) {
  return db
    .selectFrom('accounts')
    .innerJoin('channels', (join) => join.on('channels.id', '=', channelId))
    .select(['accounts.name', 'channels.name as channel'])
    .select(countWritten.as('comments'))
    .where('accounts.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Counts the comments of the imported people in `accounts`, whoever has them now. */
export const countWritten = sql<number>`(
  select count(*) from comments where comments.person_id = accounts.id)`;

/**
 * Gives the words of a person to an account. Call it in the transaction that uses up the link.
 * @throws ApiError `words_taken` when that is no longer possible
 */
export async function giveWords(
  trx: Database,
  { id }: Claimable,
  accountId: string,
  nowMs: number,
): Promise<void> {
  await lockAccountRow(trx, id);
  const open = selectClaimable(trx).select('accounts.id').where('accounts.id', '=', id);
  const { numUpdatedRows } = await trx
    .updateTable('imported_people')
    .set({ claimed_by: accountId, claimed_at_ms: nowMs, withdraw_hash: null, is_moving: 1 })
    .where('account_id', 'in', open)
    .where('claimed_by', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ApiError('words_taken');
}
