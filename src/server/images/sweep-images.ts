import type { ConfirmLock } from '../database/locks/advisory-lock.ts';
import { dayMs } from '../times.ts';
import { correctUses, eraseUnusedRows, findImageIds } from './image-queries.ts';
import { type Site, writeMissingIdentity } from './site-identity.ts';
import { imageIdOf } from './stores/storage-keys.ts';

/** How long unused images and objects without a row are left in place. */
const graceMs = dayMs;
/** Object keys to look up in one query. */
const batchSize = 200;

export interface Swept {
  images: number;
  bytes: number;
  /** Number of objects without a row, such as those of uploads that crashed. */
  strays: number;
  /** Errors of objects that could not be removed: a later sweep tries them again. */
  failures: unknown[];
}

/**
 * Erases images unused for a day, rows before objects, and removes objects without a row that are a day
 * old. Changes nothing when the image store belongs to another site than the database.
 * Safe to run concurrently with other sweeps and with uploads, because object keys are never reused.
 * @param confirmLock called before each erasure, so that none happens during a backup
 * @throws OtherSite
 */
export async function sweepImages(
  site: Site & { now: () => number },
  confirmLock: ConfirmLock = async () => {},
): Promise<Swept> {
  const { db, images, now } = site;
  await writeMissingIdentity(site);
  const beforeMs = now() - graceMs;
  const remove = async (key: string) => {
    await confirmLock();
    return images.remove(key).then(
      () => true,
      (error) => {
        swept.failures.push(error);
        return false;
      },
    );
  };
  await correctUses(db, now());
  await confirmLock();
  const unused = await eraseUnusedRows(db, beforeMs);
  const swept: Swept = {
    images: unused.length,
    bytes: unused.reduce((sum, row) => sum + row.stored_bytes, 0),
    strays: 0,
    failures: [],
  };

  let old: string[] = [];
  const removeStrays = async () => {
    const known = await findImageIds(db, [...new Set(old.map(imageIdOf))]);
    for (const key of old.filter((one) => !known.has(imageIdOf(one)))) {
      if (await remove(key)) swept.strays++;
    }
    old = [];
  };
  const deleted = new Set(unused.map((row) => row.picture_id));
  for await (const { key, writtenAtMs } of images.list()) {
    if (deleted.has(imageIdOf(key))) await remove(key);
    else if (writtenAtMs < beforeMs) old.push(key);
    if (old.length >= batchSize) await removeStrays();
  }
  await removeStrays();
  return swept;
}
