import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { isListed } from '../accounts/standing/listed.ts';
import type { Database, Tables } from '../database/tables.ts';

/** Images marked by one statement. */
const batchSize = 500;

/**
 * Whether no channel, account, comment, former version of a comment or channel, pending post or case uses the image.
 */
export const isUnused = sql<SqlBool>`(
  not exists (select 1 from channels where cover = images.url)
  and not exists (select 1 from accounts where img = images.url)
  and not exists (select 1 from comment_images where comment_images.url = images.url)
  and not exists (select 1 from comment_files where comment_files.url = images.url)
  and not exists (select 1 from comment_version_images where comment_version_images.url = images.url)
  and not exists (select 1 from channel_versions where cover = images.url)
  and not exists (select 1 from pending_post_images where pending_post_images.url = images.url)
  and not exists (select 1 from case_images where case_images.url = images.url))`;

/** Whether a channel, account or comment that visitors see uses the image. */
const isVisiblyUsed = sql<SqlBool>`(
  exists (select 1 from visible_channels where cover = images.url)
  or exists (select 1 from accounts where img = images.url and ${isListed})
  or exists (
    select 1 from comment_images
    join visible_comments on visible_comments.channel_id = comment_images.channel_id
      and visible_comments.number = comment_images.number
    where comment_images.url = images.url)
  or exists (
    select 1 from comment_files
    join visible_comments on visible_comments.channel_id = comment_files.channel_id
      and visible_comments.number = comment_files.number
    where comment_files.url = images.url))`;

/** An image or file, and whether it may be sent to everybody. */
export interface FoundImage {
  row: Selectable<Tables['images']>;
  /** Whether something visible uses it, or nothing uses it yet and visitors may see its owner. */
  isPublic: boolean;
}

/**
 * @param column `full_path` if the value is `images/<file name>` or `files/<id>/<file name>`, `url` if it is the URL on this site
 * @returns undefined also for an image of an erased comment or channel that the sweep has not deleted yet
 */
export async function findImage(
  db: Database,
  column: 'full_path' | 'url',
  value: string,
): Promise<FoundImage | undefined> {
  const isOfNamed = sql<SqlBool>`
    exists (select 1 from accounts where accounts.id = images.account_id and ${isListed})`;
  const found = await db
    .selectFrom('images')
    .selectAll()
    .select([flag(isVisiblyUsed).as('is_visibly_used'), flag(isUnused).as('is_unused')])
    .select(flag(isOfNamed).as('is_of_named'))
    .where(column, '=', value)
    .executeTakeFirst();
  if (!found) return undefined;
  const { is_visibly_used, is_unused, is_of_named, ...row } = found;
  if (is_unused === 1 && row.used_at_ms === 0) return undefined;
  return { row, isPublic: is_visibly_used === 1 || (is_unused === 1 && is_of_named === 1) };
}

/**
 * Lets the next sweep delete images of a comment or channel that is being erased, without waiting a day, unless
 * something visible uses them. Call it in the transaction that erases the comment or channel or marks it for erasure.
 */
export async function markForSweep(trx: Database, urls: string[]): Promise<void> {
  const distinct = [...new Set(urls)].sort();
  for (let start = 0; start < distinct.length; start += batchSize) {
    const some = distinct.slice(start, start + batchSize);
    // Locks the rows first, so that the next statement sees comments and channels that have just been given an image.
    const locked = trx.selectFrom('images').select('url').where('url', 'in', some).orderBy('url');
    await locked.forNoKeyUpdate().execute();
    await trx
      .updateTable('images')
      .set({ used_at_ms: 0 })
      .where('url', 'in', some)
      .where(sql<SqlBool>`not ${isVisiblyUsed}`)
      .execute();
  }
}

/** 1 or 0, the same on both engines. */
const flag = (condition: RawBuilder<SqlBool>) =>
  sql<number>`case when ${condition} then 1 else 0 end`;
