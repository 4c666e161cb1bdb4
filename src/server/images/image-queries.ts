import type { Selectable } from 'kysely';
import type { UploadUse } from '../../shared/images.ts';
import type { Database, Tables } from '../database/tables.ts';
import type { Config } from '../system/settings/config.ts';
import { imageNotFound } from './errors.ts';
import { isUnused } from './image-visibility.ts';

export type ImageRow = Selectable<Tables['images']>;

/** An image row that has no name yet. */
export type UnnamedImage = Omit<ImageRow, 'full_path' | 'path_key' | 'url'>;

/**
 * Points an image whose objects are lost to new objects.
 * @returns undefined when the row has changed since it was read
 */
export async function replaceObjects(
  trx: Database,
  lost: ImageRow,
  image: UnnamedImage,
): Promise<ImageRow | undefined> {
  return trx
    .updateTable('images')
    .set(image)
    .where('full_path', '=', lost.full_path)
    .where('image_id', '=', lost.image_id)
    .returningAll()
    .executeTakeFirst();
}

/** Whether the stored images of an account, with all variants and these additional bytes, exceed its quota. */
export async function exceedsQuota(
  { db, config }: { db: Database; config: Pick<Config, 'accountQuotaMb'> },
  accountId: string,
  bytes: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('images')
    .select((eb) => eb.fn.sum<string | number | null>('stored_bytes').as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  // PostgreSQL returns sums as text.
  return Number(row?.bytes ?? 0) + bytes > config.accountQuotaMb * 1024 * 1024;
}

/**
 * Marks the images at these URLs as used from now on. Call it in the transaction that stores the URLs, so that the
 * sweep cannot delete the images in between. URLs of other sites and of the default avatar have no row and always
 * pass.
 * @throws ApiError `invalid_fields` when a URL is on this site but not of an upload by the account for this use
 */
export async function requireImages(
  trx: Database,
  { accountId, use }: { accountId: string; use: UploadUse },
  urls: string[],
  nowMs: number,
): Promise<void> {
  const own = urls.filter((url) => url.startsWith('/files/'));
  // Sorted, so that two comments with the same images do not deadlock.
  for (const url of [...new Set(own)].sort()) {
    const row = await trx
      .updateTable('images')
      .set({ used_at_ms: nowMs })
      .where('url', '=', url)
      .where('account_id', '=', accountId)
      .where('use', '=', use)
      .returning('url')
      .executeTakeFirst();
    if (!row) throw imageNotFound(use);
  }
}

/** Images tested by one statement, so that other requests can run in between. */
const batchSize = 500;

/** Images last used before a time, of one account or of all accounts. */
export interface OldImages {
  beforeMs: number;
  accountId: string | undefined;
}

/**
 * @param after the id that ends the previous batch; '' for the first @returns the id that ends the batch; undefined
 * for the last
 */
export async function findBatchEnd(
  db: Database,
  { beforeMs, accountId }: OldImages,
  after: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('images')
    .select('image_id')
    .where('image_id', '>', after)
    .where('used_at_ms', '<', beforeMs)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .orderBy('image_id')
    .limit(1)
    .offset(batchSize - 1)
    .executeTakeFirst();
  return row?.image_id;
}

/**
 * Erases the rows of a batch of images that no channel, account or comment uses. Earlier versions, and hidden or
 * deleted items, count as uses.
 * @returns the erased rows
 */
export function eraseUnusedRows(
  trx: Database,
  { beforeMs, accountId }: OldImages,
  after: string,
  end: string | undefined,
): Promise<ImageRow[]> {
  return trx
    .deleteFrom('images')
    .where('image_id', '>', after)
    .$if(end !== undefined, (query) => query.where('image_id', '<=', end ?? ''))
    .where('used_at_ms', '<', beforeMs)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .where(isUnused)
    .returningAll()
    .execute();
}
