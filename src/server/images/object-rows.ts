import type { Database } from '../database/tables.ts';
import { unavailableError } from '../http/api-error.ts';
import type { StoredObjects } from './stores/storage-keys.ts';

/** Rows per statement. */
const batchSize = 200;

/** Records which objects follow, before the first is written, so that housekeeping finds them whatever happens. */
export async function insertUnconfirmed(
  db: Database,
  { image_id, use, largest_variant }: StoredObjects,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('unconfirmed_objects')
    .values({ image_id, use, largest_variant, created_at_ms: nowMs })
    .execute();
}

/**
 * Deletes the row of written objects, in the transaction that inserts another row for them.
 * @throws ApiError `unavailable` when the row is missing, because housekeeping removes the objects
 */
export async function deleteUnconfirmed(trx: Database, imageId: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('unconfirmed_objects')
    .where('image_id', '=', imageId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw unavailableError();
}

/** Schedules the objects of images for removal. Call it in the transaction that deletes their rows. */
export async function insertOrphanedObjects(trx: Database, images: StoredObjects[]): Promise<void> {
  const rows = images.map(({ image_id, use, largest_variant }) => ({
    image_id,
    use,
    largest_variant,
  }));
  for (let i = 0; i < rows.length; i += batchSize) {
    await trx
      .insertInto('orphaned_objects')
      .values(rows.slice(i, i + batchSize))
      .execute();
  }
}
