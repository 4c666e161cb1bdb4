import { createHash, randomUUID } from 'node:crypto';
import type { UploadUse } from '../../shared/images.ts';
import { assetRoutes } from '../../shared/routes.ts';
import { requireWriter } from '../accounts/standing/restrictions.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { nameWithHash } from './file-names.ts';
import type { ImageRow, UnnamedImage } from './image-queries.ts';
import { deleteUnconfirmed } from './object-rows.ts';

/** Enough to make collisions unlikely, few enough to keep the name readable. */
const shortHashChars = 8;

/** Each image belongs to one account: equal images of different accounts have different names. */
export function contentHash(use: UploadUse, accountId: string, bytes: Buffer): string {
  return createHash('sha256').update(use).update(accountId).update(bytes).digest('hex');
}

export interface NamingServices {
  withTransaction: WithTransaction;
  /** The site's current epoch (site-epoch.ts). */
  epoch: string;
  hasFormerNames: boolean;
  /** Whether an admin brings it for an imported person, who has no quota, and an account that is disabled. */
  isImport?: boolean;
}

/** The paths that a new image may get, the preferred one first: its name, then its name with more and more of its hash. */
export function imagePaths(name: string, hash: string, hasFormerNames: boolean): string[] {
  const withHash = namesWithHash(name, hash);
  return (hasFormerNames ? withHash : [name, ...withHash]).map((each) => `images/${each}`);
}

/** The path of a new file. The random id leaves people its name, whatever others are called. */
export const filePath = (name: string) => `files/${randomUUID()}/${name}`;

/**
 * Inserts the image or file at the first of these paths that never belonged to other content. A path stays with its
 * first content permanently.
 * @returns the new row, which replaces the row of its pending objects; or the existing one when the same name and
 * content were uploaded before
 * @throws ApiError `not_signed_in`, `silenced`, `suspended` when the owner may not publish; `unavailable` when the
 * objects are no longer pending
 */
export async function claimName(
  { withTransaction, epoch, isImport = false }: NamingServices,
  image: UnnamedImage,
  paths: string[],
): Promise<ImageRow> {
  const { content_hash } = image;
  for (const fullPath of paths) {
    const url = assetRoutes.file(fullPath);
    // Names that differ only in case would be confused by people and by some file systems.
    const row = { ...image, full_path: fullPath, path_key: fullPath.toLowerCase(), url };
    const named = await withTransaction(`image ${row.path_key}`, async (trx) => {
      if (!isImport) await requireWriter(trx, row.account_id, image.used_at_ms);
      const name_hash = createHash('sha256').update(row.path_key).digest('base64url');
      await trx
        .insertInto('image_names')
        .values({ name_hash, content_hash, epoch })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const first = await trx
        .selectFrom('image_names')
        .select('content_hash')
        .where('name_hash', '=', name_hash)
        .executeTakeFirstOrThrow();
      if (first.content_hash !== content_hash) return undefined;
      // Marks it as used now, so that the sweep does not delete an image that was just uploaded again.
      const existing = await trx
        .updateTable('images')
        .set({ used_at_ms: image.used_at_ms })
        .where('path_key', '=', row.path_key)
        .returningAll()
        .executeTakeFirst();
      if (existing) return existing;
      await deleteUnconfirmed(trx, row.image_id);
      await trx.insertInto('images').values(row).execute();
      return row;
    });
    if (named) return named;
  }
  throw new Error('two images share a name with a whole hash');
}

function namesWithHash(name: string, hash: string): string[] {
  return [shortHashChars, hash.length].map((chars) => nameWithHash(name, hash.slice(0, chars)));
}

/** Whether the site was restored, so that names claimed since the backup are unknown. */
export async function hasFormerNames(db: Database, epoch: string): Promise<boolean> {
  // Two range queries use the index on `epoch`; `<>` would not.
  for (const operator of ['<', '>'] as const) {
    const row = await db
      .selectFrom('image_names')
      .select('epoch')
      .where('epoch', operator, epoch)
      .limit(1)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}
