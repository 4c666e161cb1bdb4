import { type RawBuilder, type SqlBool, sql } from 'kysely';
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
  await scheduleErasure(db, sql<SqlBool>`claimed_by = ${id}`, content, nowMs);
  for (let count = batchSize; count === batchSize; ) {
    const { numAffectedRows = 0n } = await sql`
      update comments set person_id = null where (channel_id, number) in (
        select channel_id, number from comments where person_id = ${id} limit ${sql.lit(batchSize)})
    `.execute(db);
    count = Number(numAffectedRows);
  }
}

/** Schedules the erasure of people whose words were claimed so long ago that they cannot be returned. */
export async function eraseClaimedPeople({
  db,
  now,
}: Pick<ErasureServices, 'db' | 'now'>): Promise<void> {
  const isFinal = sql<SqlBool>`claimed_by is not null and claimed_at_ms <= ${now() - trashMs} and is_moving = 0`;
  await scheduleErasure(db, isFinal, 'anonymous', now());
}

async function scheduleErasure(
  db: Database,
  isMeant: RawBuilder<SqlBool>,
  content: DeletedContent,
  nowMs: number,
): Promise<void> {
  const people = db.selectFrom('imported_people').select('account_id').where(isMeant);
  await db
    .updateTable('accounts')
    .set({ deletion_at_ms: nowMs, deletion_content: content })
    .where('id', 'in', people)
    .where('deletion_at_ms', 'is', null)
    .where('erased_at_ms', 'is', null)
    .execute();
}
