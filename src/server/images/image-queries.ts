import type { Selectable } from 'kysely';
import type { ImageUse } from '../../shared/images.ts';
import type { Config } from '../config/config.ts';
import type { Database, Tables } from '../database/tables.ts';
import { dayMs } from '../times.ts';
import { imageNotFound } from './errors.ts';
import { isUnused, isUnusedByOwner } from './image-visibility.ts';
import { withoutSignature } from './signed-urls.ts';
import type { ImageStore } from './stores/image-store.ts';
import { imageIdOf } from './stores/storage-keys.ts';

/** Upper bound of the difference between the clocks of processes. */
const clockSkewMs = dayMs;

export type ImageRow = Selectable<Tables['images']>;

/** An image row before it has a name. */
export type UnnamedImage = Omit<ImageRow, 'full_path' | 'path_key' | 'url'>;

/**
 * Points an image whose objects are lost to new objects.
 * @returns undefined when the row has changed since it was read
 */
export async function replaceObjects(
  db: Database,
  lost: ImageRow,
  image: UnnamedImage,
): Promise<ImageRow | undefined> {
  return db
    .updateTable('images')
    .set(image)
    .where('full_path', '=', lost.full_path)
    .where('picture_id', '=', lost.picture_id)
    .returningAll()
    .executeTakeFirst();
}

/** Whether the stored images of an account, with all variants, and these further bytes exceed its quota. */
export async function exceedsQuota(
  { db, config }: { db: Database; config: Pick<Config, 'accountQuotaMb'> },
  accountId: string,
  bytes: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('images')
    .select((eb) => eb.fn.sum<string | number | null>('stored_bytes').as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  // PostgreSQL returns sums as text.
  return Number(row?.bytes ?? 0) + bytes > config.accountQuotaMb * 1024 * 1024;
}

/**
 * Marks the images at these URLs as used from now on. Call it in the transaction that stores the URLs,
 * so that the sweep cannot delete the images in between. URLs of other sites and of the default avatar
 * have no row and always pass.
 * @throws ApiError `invalid_fields` when a URL is one of this site's and not of an upload of the account for this use
 */
export async function requireImages(
  trx: Database,
  { accountId, use }: { accountId: string; use: ImageUse },
  urls: string[],
  nowMs: number,
): Promise<void> {
  const own = urls.filter((url) => url.startsWith('/files/'));
  // Sorted, so that two comments with the same images do not deadlock.
  for (const url of [...new Set(own)].sort()) {
    const row = await trx
      .updateTable('images')
      .set({ used_at_ms: nowMs })
      .where('url', '=', url)
      .where('account_id', '=', accountId)
      .where('use', '=', use)
      .returning('url')
      .executeTakeFirst();
    if (!row) throw imageNotFound(use);
  }
}

/** Resets uses that a fast clock dated in the future, which would keep the images until then. */
export async function correctUses(db: Database, nowMs: number): Promise<void> {
  await db
    .updateTable('images')
    .set({ used_at_ms: nowMs - 1 })
    .where('used_at_ms', '>', nowMs + clockSkewMs)
    .execute();
}

/**
 * Erases the rows of images last used before this time that no channel, account or comment has, in one
 * statement. Earlier versions of channels and what is hidden or in the bin count too.
 * @returns the erased rows
 */
export function eraseUnusedRows(db: Database, beforeMs: number): Promise<ImageRow[]> {
  return db
    .deleteFrom('images')
    .where('used_at_ms', '<', beforeMs)
    .where(isUnused)
    .returningAll()
    .execute();
}

/** As `eraseUnusedRows`, of one account's images, also those that only other channels and accounts have. */
export function eraseRowsUnusedByOwner(
  db: Database,
  accountId: string,
  beforeMs: number,
): Promise<ImageRow[]> {
  return db
    .deleteFrom('images')
    .where('account_id', '=', accountId)
    .where('used_at_ms', '<', beforeMs)
    .where(isUnusedByOwner)
    .returningAll()
    .execute();
}

/**
 * Finds images that an account other than their owner shows as cover, avatar or former cover, each
 * with that account's id.
 * @param ownerId limits it to images of this account
 */
export async function findSharedImages(
  db: Database,
  ownerId?: string,
): Promise<(ImageRow & { user_id: string })[]> {
  const ofOwner = db
    .selectFrom('images')
    .selectAll('images')
    .$if(ownerId !== undefined, (query) => query.where('images.account_id', '=', ownerId ?? ''));
  const covers = await ofOwner
    .innerJoin('channels', 'channels.cover', 'images.url')
    .select('channels.account_id as user_id')
    .whereRef('channels.account_id', '<>', 'images.account_id')
    .execute();
  const avatars = await ofOwner
    .innerJoin('accounts', 'accounts.img', 'images.url')
    .select('accounts.id as user_id')
    .whereRef('accounts.id', '<>', 'images.account_id')
    .execute();
  const formerCovers = await ofOwner
    .innerJoin('channel_versions', 'channel_versions.cover', 'images.url')
    .innerJoin('channels', 'channels.id', 'channel_versions.channel_id')
    .select('channels.account_id as user_id')
    .whereRef('channels.account_id', '<>', 'images.account_id')
    .execute();
  const shared = [...covers, ...avatars, ...formerCovers];
  return [...new Map(shared.map((row) => [`${row.url} ${row.user_id}`, row])).values()];
}

/** @returns the image ids among these that have a row */
export async function findImageIds(db: Database, imageIds: string[]): Promise<Set<string>> {
  if (imageIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('images')
    .select('picture_id')
    .where('picture_id', 'in', imageIds)
    .execute();
  return new Set(rows.map((row) => row.picture_id));
}

/**
 * Converts an image's public URL in the bucket, or one with a signature, to its URL on this site, from which
 * those of its variants derive. Returns other URLs unchanged.
 */
export async function toSiteUrl(
  { db, images }: { db: Database; images: ImageStore },
  url: string,
): Promise<string> {
  const key = url.slice(url.lastIndexOf('/') + 1);
  if (images.publicUrl(key) !== url) return withoutSignature(url);
  const row = await db
    .selectFrom('images')
    .select('url')
    .where('picture_id', '=', imageIdOf(key))
    .executeTakeFirst();
  return row?.url ?? url;
}

/** The body of a comment or a channel with `toSiteUrl` of each image. */
export async function withSiteUrls<
  Body extends { cover?: string; images?: { url: string; alt: string }[] },
>(services: { db: Database; images: ImageStore }, body: Body): Promise<Body> {
  const cover = body.cover && (await toSiteUrl(services, body.cover));
  const images = [];
  for (const { url, alt } of body.images ?? [])
    images.push({ url: await toSiteUrl(services, url), alt });
  return { ...body, ...(body.images && { images }), ...(cover && { cover }) };
}
