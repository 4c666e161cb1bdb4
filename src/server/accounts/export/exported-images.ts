import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Database, Tables } from '../../database/tables.ts';
import { ObjectNotFound } from '../../images/stores/errors.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import { fullVariant, objectKey } from '../../images/stores/storage-keys.ts';

export interface ExportedImage {
  /** As in the table `images`. */
  fullPath: string;
  /** File name in the archive. */
  name: string;
}

/** File extensions by accepted content type. */
const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
};

/**
 * The file name is a hash. It is valid on every system, and it does not contain the id of the picture, with
 * which a hidden image could be opened (images/signed-urls.ts).
 */
export function exportedImage(
  row: Pick<Tables['images'], 'full_path' | 'picture_id' | 'content_type'>,
): ExportedImage {
  const extension = extensions[row.content_type] ?? 'bin';
  return {
    fullPath: row.full_path,
    name: `imagenes/${createHash('sha256').update(row.picture_id).digest('hex').slice(0, 32)}.${extension}`,
  };
}

/** All images that an account uploaded. */
export async function listImages(db: Database, accountId: string): Promise<ExportedImage[]> {
  const rows = await db
    .selectFrom('images')
    .select(['full_path', 'picture_id', 'content_type'])
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(exportedImage);
}

/**
 * The bytes of an image. Its key is looked up here and not before, since housekeeping gives new ones to images that
 * visitors no longer see.
 * @throws ObjectNotFound
 */
export async function readImage(
  { db, images }: { db: Database; images: ImageStore },
  { fullPath }: ExportedImage,
): Promise<Readable> {
  const row = await db
    .selectFrom('images')
    .select('picture_id')
    .where('full_path', '=', fullPath)
    .executeTakeFirst();
  if (!row) throw new ObjectNotFound(fullPath);
  return images.read(objectKey(row.picture_id, fullVariant));
}
