import type { StoredFile } from '../../shared/images.ts';
import type { ImageRow } from './image-queries.ts';
import type { ImageStore } from './stores/image-store.ts';

/** The last segment of an image's or a file's path. */
export const fileNameOf = (fullPath: string) => fullPath.slice(fullPath.lastIndexOf('/') + 1);

/** @param downloadURL the URL on this site, or a signed one for a person who may see more than visitors */
export function toStoredFile(
  row: ImageRow,
  images: Pick<ImageStore, 'bucket'>,
  downloadURL = row.url,
): StoredFile {
  return {
    bucket: images.bucket,
    fullPath: row.full_path,
    name: fileNameOf(row.full_path),
    size: row.size_bytes,
    contentType: row.content_type,
    timeCreated: new Date(row.created_at_ms).toISOString(),
    updated: new Date(row.updated_at_ms).toISOString(),
    md5Hash: row.md5,
    customMetadata: {
      use: row.use,
      ...(row.use !== 'file' && { width: String(row.width), height: String(row.height) }),
    },
    downloadURL,
  };
}
