import type { ConfirmLock } from '../database/engine-type.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { dayMs } from '../system/times.ts';
import { eraseUnusedRows, findBatchEnd, type ImageRow } from './image-queries.ts';
import { insertOrphanedObjects } from './object-rows.ts';
import type { ImageStore } from './stores/image-store.ts';
import { objectKeysOf } from './stores/storage-keys.ts';

/** How long unused images and the objects of an unfinished upload stay. */
const graceMs = dayMs;
/** Failures that end a sweep: each takes seconds when the store hangs, and backups wait for the lock. */
const maxFailures = 10;

interface SweepServices {
  db: Database;
  withTransaction: WithTransaction;
  images: ImageStore;
  now: () => number;
}

export interface Swept {
  images: number;
  bytes: number;
  /** Uploads that were interrupted or failed before their image had a row. */
  unfinished: number;
  /** Errors of objects that could not be removed. A later sweep tries again. */
  failures: unknown[];
}

/**
 * Erases images unused for a day, and objects that uploads left a day ago, rows before objects. Only the database
 * says which objects to remove, never a listing of the store: a database that is empty or of another site removes
 * nothing.
 * @param confirmLock called before the objects of each image are removed, so that none is removed during a backup
 */
export async function sweepImages(
  services: SweepServices,
  confirmLock: ConfirmLock = async () => {},
): Promise<Swept> {
  const beforeMs = services.now() - graceMs;
  const unused = await eraseUnused(services, beforeMs);
  const unfinished = await giveUpUnconfirmed(services, beforeMs);
  return {
    images: unused.length,
    bytes: unused.reduce((sum, row) => sum + row.stored_bytes, 0),
    unfinished,
    failures: await removeDeleted(services, confirmLock),
  };
}

/** @param accountId limits it to images of this account @returns the rows of the erased images */
export async function eraseUnused(
  { db, withTransaction }: Pick<SweepServices, 'db' | 'withTransaction'>,
  beforeMs: number,
  accountId?: string,
): Promise<ImageRow[]> {
  const old = { beforeMs, accountId };
  const erased: ImageRow[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const start = after;
    const end = await findBatchEnd(db, old, start);
    const batch = await withTransaction('images', async (trx) => {
      const unused = await eraseUnusedRows(trx, old, start, end);
      await insertOrphanedObjects(trx, unused);
      return unused;
    });
    erased.push(...batch);
    after = end;
  }
  return erased;
}

/** @returns the number of unfinished uploads */
function giveUpUnconfirmed({ withTransaction }: SweepServices, beforeMs: number): Promise<number> {
  return withTransaction('images', async (trx) => {
    const pending = await trx
      .deleteFrom('unconfirmed_objects')
      .where('created_at_ms', '<', beforeMs)
      .returningAll()
      .execute();
    await insertOrphanedObjects(trx, pending);
    return pending.length;
  });
}

/** Removes the objects of erased images. @returns the errors of those left for the next call */
export async function removeDeleted(
  { db, images }: Pick<SweepServices, 'db' | 'images'>,
  confirmLock: ConfirmLock = async () => {},
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const image of await db.selectFrom('orphaned_objects').selectAll().execute()) {
    await confirmLock();
    try {
      for (const key of objectKeysOf(image)) await images.remove(key);
      await db.deleteFrom('orphaned_objects').where('image_id', '=', image.image_id).execute();
    } catch (error) {
      failures.push(error);
      if (failures.length === maxFailures) break;
    }
  }
  return failures;
}
