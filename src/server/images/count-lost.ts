import { type SqlBool, sql } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';
import { unlessMissing } from '../system/missing.ts';
import { isUnused } from './image-visibility.ts';
import { KeyCount } from './key-count.ts';
import type { ImageStore } from './stores/image-store.ts';
import { objectKeysOf, type StoredObjects } from './stores/storage-keys.ts';

/** Images to read in one query. */
const batchSize = 200;

/**
 * Counts the objects of images in use that the store lacks or has in another size, except images already known to be
 * lost.
 */
export async function countLost(db: Database, images: ImageStore): Promise<KeyCount> {
  const lost = new KeyCount();
  const used = db.selectFrom('images').where(sql<SqlBool>`is_lost = 0 and not ${isUnused}`);
  let after = '';
  for (;;) {
    const rows = await used
      .select(['image_id', 'use', 'largest_variant', 'stored_bytes'])
      .where('image_id', '>', after)
      .orderBy('image_id')
      .limit(batchSize)
      .execute();
    const last = rows.at(-1);
    if (!last) return lost;
    after = last.image_id;
    for (const row of rows) {
      const keys = await findLost(images, row);
      if (keys.length === 0) continue;
      // It may have been erased since its row was read.
      const isStillUsed = await used
        .select('image_id')
        .where('image_id', '=', row.image_id)
        .executeTakeFirst();
      if (isStillUsed) for (const key of keys) lost.add(key);
    }
  }
}

async function findLost(
  images: ImageStore,
  row: StoredObjects & Pick<Tables['images'], 'stored_bytes'>,
): Promise<string[]> {
  const keys = objectKeysOf(row);
  const sizes = await Promise.all(keys.map((key) => unlessMissing(images.size(key))));
  const missing = keys.filter((_, i) => sizes[i] === undefined);
  const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  if (missing.length > 0 || bytes === row.stored_bytes) return missing;
  return [`${row.image_id} (damaged)`];
}
