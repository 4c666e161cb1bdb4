import type { StoredFile } from '../../shared/images.ts';
import type { Database } from '../database/tables.ts';
import type { ImageRow } from './image-queries.ts';
import { findImage } from './image-visibility.ts';
import { signedUrl } from './signed-urls.ts';
import type { ImageStore } from './stores/image-store.ts';
import { fullVariant, objectKey } from './stores/storage-keys.ts';

/**
 * The data of an image for the account that has just uploaded it. When it has uploaded the image before, and
 * visitors may not see what has it, `downloadURL` is signed.
 */
export async function toUploadedFile(
  { db, images, now }: { db: Database; images: ImageStore; now: () => number },
  row: ImageRow,
): Promise<StoredFile> {
  const found = await findImage(db, row.full_path);
  const file = toStoredFile(row, images);
  return !found || found.isPublic ? file : { ...file, downloadURL: signedUrl(found.row, now()) };
}

export function toStoredFile(row: ImageRow, images: ImageStore): StoredFile {
  const key = objectKey(row.picture_id, fullVariant);
  const isWithdrawn = row.withdrawn_at_ms !== null;
  return {
    bucket: images.bucket,
    fullPath: row.full_path,
    name: row.full_path.slice('images/'.length),
    size: row.size_bytes,
    contentType: row.content_type,
    timeCreated: new Date(row.created_at_ms).toISOString(),
    updated: new Date(row.updated_at_ms).toISOString(),
    md5Hash: row.md5,
    customMetadata: {
      use: row.use,
      width: String(row.width),
      height: String(row.height),
    },
    downloadURL: isWithdrawn ? row.url : (images.publicUrl(key) ?? row.url),
  };
}
