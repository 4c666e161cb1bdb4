import { createHash } from 'node:crypto';
import type { Database, Tables } from '../../database/tables.ts';
import { fullVariant, objectKey } from '../../images/stores/storage-keys.ts';

export interface ExportedImage {
  /** In the image store. */
  key: string;
  /** In the archive. */
  name: string;
}

/** Extensions of file names by the content types that are accepted. */
const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
};

/**
 * The name does not depend on what the file was called, and so is safe everywhere. Nor does it tell the id of
 * the image, with which an image that was hidden could be opened (images/signed-urls.ts).
 */
export function exportedImage(
  row: Pick<Tables['images'], 'picture_id' | 'content_type'>,
): ExportedImage {
  const extension = extensions[row.content_type] ?? 'bin';
  return {
    key: objectKey(row.picture_id, fullVariant),
    name: `imagenes/${createHash('sha256').update(row.picture_id).digest('hex').slice(0, 32)}.${extension}`,
  };
}

/** All images that an account uploaded. */
export async function listImages(db: Database, accountId: string): Promise<ExportedImage[]> {
  const rows = await db
    .selectFrom('images')
    .select(['picture_id', 'content_type'])
    .where('account_id', '=', accountId)
    .execute();
  return rows.map(exportedImage);
}
