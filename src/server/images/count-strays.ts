import type { Database } from '../database/tables.ts';
import { KeyCount } from './key-count.ts';
import type { ImageStore } from './stores/image-store.ts';
import { imageIdOf } from './stores/storage-keys.ts';

/** Object keys to look up in one query. */
const batchSize = 200;

/** Counts the image objects without a row in any table. They stay, because another database may know them. */
export async function countStrays(db: Database, images: ImageStore): Promise<KeyCount> {
  const strays = new KeyCount();
  let keys: string[] = [];
  const lookUp = async () => {
    const known = await findKnown(db, [...new Set(keys.map(imageIdOf))]);
    for (const key of keys) if (!known.has(imageIdOf(key))) strays.add(key);
    keys = [];
  };
  for await (const { key } of images.list()) {
    keys.push(key);
    if (keys.length === batchSize) await lookUp();
  }
  if (keys.length > 0) await lookUp();
  return strays;
}

/** @returns the image ids among these that have a row */
async function findKnown(db: Database, imageIds: string[]): Promise<Set<string>> {
  const known = new Set<string>();
  // In the order in which an image gets its rows, so that an image that changes tables during the check is found.
  for (const table of ['unconfirmed_objects', 'images', 'orphaned_objects'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('image_id')
      .where('image_id', 'in', imageIds)
      .execute();
    for (const { image_id } of rows) known.add(image_id);
  }
  return known;
}
