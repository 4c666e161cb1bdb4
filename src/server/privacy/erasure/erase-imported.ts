import type { Expression } from 'kysely';
import type { DeletedContent } from '../../../shared/account-settings.ts';
import type { Database } from '../../database/tables.ts';
import { trashMs } from '../../system/times.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Comments per statement. */
const batchSize = 500;

/**
 * Erases in comments that an imported person wrote them, and schedules the erasure of the people whose words the account
 * has claimed, since some of these may not have been moved yet.
 */
export async function eraseImported(
  { db }: Pick<ErasureServices, 'db'>,
  id: string,
  { content, nowMs }: { content: DeletedContent; nowMs: number },
): Promise<void> {
  const claimed = db
    .selectFrom('imported_people')
    .select('account_id')
    .where('claimed_by', '=', id);
  await scheduleErasure(db, claimed, content, nowMs);
  const written = db
    .selectFrom('comments')
    .select(['channel_id', 'number'])
    .where('person_id', '=', id)
    .limit(batchSize);
  for (let count = batchSize; count === batchSize; ) {
    const { numUpdatedRows } = await db
      .updateTable('comments')
      .set({ person_id: null })
      .where(({ refTuple }) => refTuple('channel_id', 'number'), 'in', written)
      .executeTakeFirst();
    count = Number(numUpdatedRows);
  }
}

/** Schedules the erasure of people whose words were claimed so long ago that they cannot be returned. */
export async function eraseClaimedPeople({
  db,
  now,
}: Pick<ErasureServices, 'db' | 'now'>): Promise<void> {
  const final = db
    .selectFrom('imported_people')
    .select('account_id')
    .where('claimed_at_ms', '<=', now() - trashMs)
    .where('is_moving', '=', 0);
  await scheduleErasure(db, final, 'anonymous', now());
}

async function scheduleErasure(
  db: Database,
  people: Expression<{ account_id: string }>,
  content: DeletedContent,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ deletion_at_ms: nowMs, deletion_content: content })
    .where('id', 'in', people)
    .where('deletion_at_ms', 'is', null)
    .where('erased_at_ms', 'is', null)
    .execute();
}
