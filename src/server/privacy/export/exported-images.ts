import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Database, Tables } from '../../database/tables.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import { fullVariant, objectKey } from '../../images/stores/storage-keys.ts';
import { unlessMissing } from '../../system/missing.ts';

export interface ExportedImage {
  /** Storage key of the full size. */
  key: string;
  /** File name in the archive. */
  name: string;
}

/**
 * The file name is a hash: it is valid on every system and does not contain the image's id, with which a hidden image
 * could be opened (images/signed-urls.ts).
 */
export function exportedImage(
  row: Pick<Tables['images'], 'full_path' | 'image_id'>,
): ExportedImage {
  const hash = createHash('sha256').update(row.image_id).digest('hex').slice(0, 32);
  // The extension of a stored name matches the content (file-names.ts).
  return {
    key: objectKey(row.image_id, fullVariant),
    name: `imagenes/${hash}${path.extname(row.full_path).toLowerCase()}`,
  };
}

export async function listImages(db: Database, accountId: string): Promise<ExportedImage[]> {
  const rows = await db
    .selectFrom('images')
    .select(['full_path', 'image_id'])
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(exportedImage);
}

/** Reads an image. @returns undefined when its object is missing from the store */
export function readImage(
  images: ImageStore,
  { key }: ExportedImage,
): Promise<Readable | undefined> {
  return unlessMissing(images.read(key));
}
