import type { ConfirmLock } from '../database/locks/advisory-lock.ts';
import type { Database } from '../database/tables.ts';
import { deleteUnusedImages, findImageIds } from './image-queries.ts';
import type { ImageStore } from './stores/image-store.ts';
import { imageIdOf } from './stores/storage-keys.ts';

/** How long an image may be without use, and bytes without a row. */
const graceMs = 24 * 3_600_000;
const batch = 200;

export interface Swept {
  images: number;
  bytes: number;
  /** Objects that no row speaks of: what a crash in the middle of an upload leaves. */
  strays: number;
}

/**
 * Clears away images that nobody has shown for a day, rows first and then bytes, and bytes that
 * no row speaks of. Keys are never used twice, so two sweeps at once, or an upload meanwhile, do no
 * harm: a row is deleted once, and what is written anew has a key of its own.
 */
export async function sweepImages(
  { db, images, now }: { db: Database; images: ImageStore; now: () => number },
  confirmLock: ConfirmLock = async () => {},
): Promise<Swept> {
  const beforeMs = now() - graceMs;
  // A backup that is being made copies what its rows speak of.
  const remove = async (key: string) => {
    await confirmLock();
    await images.remove(key);
  };
  await confirmLock();
  const unused = await deleteUnusedImages(db, beforeMs);
  const swept: Swept = {
    images: unused.length,
    bytes: unused.reduce((sum, row) => sum + row.stored_bytes, 0),
    strays: 0,
  };

  let old: string[] = [];
  const removeStrays = async () => {
    const known = await findImageIds(db, [...new Set(old.map(imageIdOf))]);
    for (const key of old.filter((one) => !known.has(imageIdOf(one)))) {
      await remove(key);
      swept.strays++;
    }
    old = [];
  };
  const gone = new Set(unused.map((row) => row.picture_id));
  for await (const { key, writtenAtMs } of images.list()) {
    if (gone.has(imageIdOf(key))) await remove(key);
    else if (writtenAtMs < beforeMs) old.push(key);
    if (old.length >= batch) await removeStrays();
  }
  await removeStrays();
  return swept;
}
