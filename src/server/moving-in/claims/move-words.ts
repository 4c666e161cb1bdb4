import { type Selectable, sql } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { lockChannel, setVisibility } from '../../forum/comments/stored-comments.ts';
import { isNotMarkedForErasure } from '../../forum/visible-rows.ts';
import { indexComment } from '../../search-index/index-comment.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { withCarried } from '../../texts/whole-text.ts';

/** Comments per transaction, which other writers in the channel wait for. */
const batchSize = 100;

interface Services {
  db: Database;
  withTransaction: WithTransaction;
}

/**
 * Moves comments of imported people to the accounts that claimed them, or back, in batches. `is_moving` is 1 until all are
 * moved, so the next call goes on after an interruption. @param ending stops it between batches
 */
export async function moveWords(services: Services, ending?: AbortSignal): Promise<void> {
  const people = await services.db
    .selectFrom('imported_people')
    .select(['channel_id', 'account_id'])
    .distinct()
    .where(sql<boolean>`is_moving = 1`)
    .execute();
  await forEachDespiteErrors(people, async (person) => {
    for (let after: number | undefined = 0; after !== undefined && !ending?.aborted; )
      after = await moveBatch(services, person, after);
  });
}

/**
 * Has the comments of a chat moved again to whom they belong. Call it after an import, because words may have been claimed or
 * returned meanwhile.
 */
export async function requestMoves(db: Database, channelId: string): Promise<void> {
  await db
    .updateTable('imported_people')
    .set({ is_moving: 1 })
    .where('channel_id', '=', channelId)
    .execute();
}

type Person = Pick<Selectable<Tables['imported_people']>, 'channel_id' | 'account_id'>;

/** @returns the number of the last comment moved; undefined once none is left */
function moveBatch(
  { withTransaction }: Services,
  { channel_id: channelId, account_id: personId }: Person,
  after: number,
): Promise<number | undefined> {
  return withTransaction(`channel ${channelId}`, async (trx, announce) => {
    await lockChannel(trx, channelId);
    const owner = await lockOwner(trx, personId);
    const rows = owner
      ? await trx
          .selectFrom('comments')
          .selectAll()
          .where('person_id', '=', personId)
          .where('channel_id', '=', channelId)
          .where('number', '>', after)
          .where('account_id', '<>', owner)
          .where(isNotMarkedForErasure)
          .orderBy('number')
          .limit(batchSize)
          .execute()
      : [];
    const [first, ...others] = rows;
    if (!owner || !first) {
      await trx
        .updateTable('imported_people')
        .set({ is_moving: 0 })
        .where('channel_id', '=', channelId)
        .where('account_id', '=', personId)
        .execute();
      return undefined;
    }
    // A person without an account deletes nothing, so whoever claimed a comment by mistake did.
    const isReturned = owner === personId;
    const moved = { account_id: owner, ...(isReturned && { deleted_at_ms: null }) };
    await setVisibility(trx, announce, [first, ...others], moved);
    for (const { number, text, carried_text } of rows) {
      const comment = { text: withCarried(text, carried_text), authorId: owner };
      await indexComment(trx, { channelId, number }, comment);
    }
    return rows.at(-1)?.number;
  });
}

/**
 * Finds and locks to whom the words of a person belong.
 * @returns the account that claimed them, or the person; undefined if that account is being erased, and the person with it
 */
async function lockOwner(trx: Database, personId: string): Promise<string | undefined> {
  const person = await trx
    .selectFrom('imported_people')
    .select('claimed_by')
    .where('account_id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const owner = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', person?.claimed_by ?? personId)
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  return owner?.id;
}
