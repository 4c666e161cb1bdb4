import type { Database } from '../database/tables.ts';
import { unavailableError } from '../http/api-error.ts';
import type { StoredObjects } from './stores/storage-keys.ts';

/** Rows of one statement. */
const batchSize = 500;

/** Writes down which objects follow, before the first of them: whatever happens then, housekeeping finds them. */
export async function insertPending(
  db: Database,
  { picture_id, use, largest_form }: StoredObjects,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('pending_objects')
    .values({ picture_id, use, largest_form, created_at_ms: nowMs })
    .execute();
}

/**
 * Deletes the row of written objects, in the transaction that gives them another.
 * @throws ApiError `unavailable` when it is gone: housekeeping removes the objects
 */
export async function deletePending(trx: Database, imageId: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('pending_objects')
    .where('picture_id', '=', imageId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw unavailableError();
}

/** Has the objects of images removed. Call it in the transaction that deletes their rows. */
export async function insertDeletions(trx: Database, images: StoredObjects[]): Promise<void> {
  const rows = images.map(({ picture_id, use, largest_form }) => ({
    picture_id,
    use,
    largest_form,
  }));
  for (let i = 0; i < rows.length; i += batchSize) {
    await trx
      .insertInto('deletions')
      .values(rows.slice(i, i + batchSize))
      .execute();
  }
}
