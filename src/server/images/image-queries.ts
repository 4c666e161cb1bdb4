import type { Selectable } from 'kysely';
import type { StoredFile } from '../../shared/images.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { isUniqueViolation } from '../database/constraint-errors.ts';
import type { Database, Tables } from '../database/tables.ts';
import { nameWithHash } from './file-names.ts';

export type ImageRow = Selectable<Tables['images']>;

/** `path_key` ignores case, because some file systems do and some people do. */
const pathKey = (fullPath: string) => fullPath.toLowerCase();

/** What is known of an image before it has a name. */
export type UnnamedImage = Omit<ImageRow, 'full_path' | 'path_key'>;

/**
 * Gives the image its name: `images/<name>`, or with a short hash when other bytes have that name.
 * The same name and bytes again give the row that is already there. The table's unique key decides
 * between two that come at once.
 * @param sha256Hex of the bytes
 */
export async function claimName(
  db: Database,
  image: UnnamedImage,
  name: string,
  sha256Hex: string,
): Promise<ImageRow> {
  for (const candidate of [name, nameWithHash(name, sha256Hex)]) {
    const fullPath = `images/${candidate}`;
    const row = { ...image, full_path: fullPath, path_key: pathKey(fullPath) };
    try {
      await db.insertInto('images').values(row).execute();
      return row;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    const holder = await db
      .selectFrom('images')
      .selectAll()
      .where('path_key', '=', row.path_key)
      .executeTakeFirst();
    if (holder?.storage_key === image.storage_key) return holder;
  }
  throw new Error('two images share a name and the first 32 bits of their hash');
}

export async function findImage(db: Database, fullPath: string): Promise<ImageRow | undefined> {
  return db.selectFrom('images').selectAll().where('full_path', '=', fullPath).executeTakeFirst();
}

export function toStoredFile(row: ImageRow, bucket: string): StoredFile {
  return {
    bucket,
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
    downloadURL: assetRoutes.file(row.full_path),
  };
}
