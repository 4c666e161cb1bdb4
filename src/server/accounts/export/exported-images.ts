import { createHash } from 'node:crypto';
import type { Database, Tables } from '../../database/tables.ts';
import { fullVariant, objectKey } from '../../images/stores/storage-keys.ts';

export interface ExportedImage {
  /** Key in the image store. */
  key: string;
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
