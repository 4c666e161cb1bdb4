import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import type { ConfirmLock } from '../database/locks/advisory-lock.ts';
import type { Database } from '../database/tables.ts';
import { forEachDespiteErrors } from '../despite-errors.ts';
import { copyObjects } from './copy-objects.ts';
import type { ImageRow } from './image-queries.ts';
import { isUnused, isVisiblyUsed } from './image-visibility.ts';
import type { ImageStore } from './stores/image-store.ts';
import { objectKeysOf } from './stores/storage-keys.ts';

/** Images that one query looks at. */
const batchSize = 500;

interface Services {
  db: Database;
  images: ImageStore;
  now: () => number;
}

/**
 * Gives new keys in a public bucket to the images that only deleted and hidden content has, since visitors may
 * know the former keys. The new keys are sent to nobody as long as `withdrawn_at_ms` is set. In a private store the
 * objects keep their keys, by which an older copy of the database finds them. An interrupted call can be repeated; the
 * sweep deletes objects that a crash leaves.
 * @param confirmLock called before the former objects of each image are removed, so that none is removed during a backup
 */
export async function withdrawImages(
  { db, images, now }: Services,
  confirmLock: ConfirmLock = async () => {},
): Promise<void> {
  if (images.publicUrl('') === undefined) return;
  const withdrawable: ImageRow[] = [];
  let ids = await listIds(db, '');
  for (let after = ''; ids.length > 0; ids = await listIds(db, after)) {
    const last = ids.at(-1) ?? '';
    // From now on visitors are sent to the keys of images that are visible again.
    await db
      .updateTable('images')
      .set({ withdrawn_at_ms: null })
      .where('picture_id', '>', after)
      .where('picture_id', '<=', last)
      .where('withdrawn_at_ms', 'is not', null)
      .where(isVisiblyUsed)
      .execute();
    const found = await db
      .selectFrom('images')
      .selectAll()
      .where('picture_id', '>', after)
      .where('picture_id', '<=', last)
      .where('withdrawn_at_ms', 'is', null)
      .where(isWithdrawable)
      .execute();
    withdrawable.push(...found);
    after = last;
    // Queries on SQLite are synchronous: other requests come in between.
    await yieldToEventLoop();
  }
  await forEachDespiteErrors(withdrawable, withdraw);

  async function withdraw(image: ImageRow): Promise<void> {
    const picture_id = randomUUID();
    const { written } = await copyObjects(images, image, picture_id);
    // Copying takes long. A backup that began meanwhile reads the former keys.
    await confirmLock();
    const { numUpdatedRows } = await db
      .updateTable('images')
      .set({ picture_id, withdrawn_at_ms: now() })
      .where('full_path', '=', image.full_path)
      .where('picture_id', '=', image.picture_id)
      // It may be visible again: visitors have just been sent to the former keys.
      .where(isWithdrawable)
      .executeTakeFirst();
    const obsolete = numUpdatedRows > 0n ? objectKeysOf(image) : written;
    for (const key of obsolete) await images.remove(key);
  }
}

const isWithdrawable = sql<SqlBool>`(not ${isUnused} and not ${isVisiblyUsed})`;

async function listIds(db: Database, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('images')
    .select('picture_id')
    .where('picture_id', '>', after)
    .orderBy('picture_id')
    .limit(batchSize)
    .execute();
  return rows.map((row) => row.picture_id);
}
