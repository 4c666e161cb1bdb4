import type { StoredFile } from '../../shared/images.ts';
import type { ImageRow } from './image-queries.ts';
import type { ImageStore } from './stores/image-store.ts';

/** @param downloadURL the URL on this site, or a signed one for a person who may see more than visitors */
export function toStoredFile(
  row: ImageRow,
  images: Pick<ImageStore, 'bucket'>,
  downloadURL = row.url,
): StoredFile {
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
    downloadURL,
  };
}
