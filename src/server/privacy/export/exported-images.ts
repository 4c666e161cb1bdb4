import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import { fullVariant, objectKey } from '../../images/stores/storage-keys.ts';
import { unlessMissing } from '../../system/missing.ts';

export interface ExportedImage {
  /** Storage key of the full size. */
  key: string;
  /** File name in the archive. */
  name: string;
}

/** The path of an image or file in the archive: a hash of its URL, which is valid on every system. */
export function exportedName(url: string): string {
  const hash = createHash('sha256').update(url).digest('hex').slice(0, 32);
  // The extension of a stored name matches the content (file-names.ts).
  const folder = url.startsWith('/files/files/') ? 'archivos' : 'imagenes';
  return `${folder}/${hash}${path.extname(url).toLowerCase()}`;
}

export async function listImages(db: Database, accountId: string): Promise<ExportedImage[]> {
  const rows = await db
    .selectFrom('images')
    .select(['url', 'image_id'])
    .where((eb) =>
      eb.or([eb('account_id', '=', accountId), sql<SqlBool>`url in (${claimedImages(accountId)})`]),
    )
    .execute();
  return rows.map(({ url, image_id }) => ({
    key: objectKey(image_id, fullVariant),
    name: exportedName(url),
  }));
}

/** Images and files of claimed comments, which stay those of the imported person. */
const claimedImages = (accountId: string) =>
  sql.join(
    (['comment_images', 'comment_files'] as const).map(
      (table) => sql`select carried.url from ${sql.table(table)} as carried join comments
        on comments.channel_id = carried.channel_id and comments.number = carried.number
        where comments.account_id = ${accountId} and comments.person_id is not null`,
    ),
    sql` union `,
  );

/** Reads an image. @returns undefined when its object is missing from the store */
export function readImage(
  images: ImageStore,
  { key }: ExportedImage,
): Promise<Readable | undefined> {
  return unlessMissing(images.read(key));
}
