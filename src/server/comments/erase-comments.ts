import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { forEachDespiteErrors } from '../despite-errors.ts';
import { releaseImages } from '../images/shown-images.ts';
import { eraseIndexedComments } from '../search/index/index-comment.ts';
import { type CommentKey, contentTables, lockChannel } from './stored-comments.ts';

/** Rows changed by one transaction, so that other writes can run in between, and rows of one query. */
const batchSize = 500;

/**
 * Erases the comments that their authors deleted before this time, except hidden ones, with their content
 * and the excerpts in replies. Each comment has its own transactions. An interrupted call can be repeated.
 * A failure stops it only after the other comments of the batch.
 */
export async function eraseDeletedComments(
  { db, transact }: { db: Database; transact: Transact },
  beforeMs: number,
): Promise<void> {
  for (;;) {
    const comments = await db
      .selectFrom('comments')
      .select(['channel_id as channelId', 'number'])
      .where('deleted_at_ms', '<=', beforeMs)
      .where('hidden_at_ms', 'is', null)
      .orderBy('deleted_at_ms')
      .limit(batchSize)
      .execute();
    if (comments.length === 0) return;
    await forEachDespiteErrors(comments, eraseOne);
  }

  async function eraseOne(comment: CommentKey): Promise<void> {
    const inChannel = <T>(work: (trx: Database) => Promise<T>) =>
      transact(`channel ${comment.channelId}`, async (trx) => {
        await lockChannel(trx, comment.channelId);
        return work(trx);
      });
    const { channelId, number } = comment;
    while ((await inChannel((trx) => eraseExcerpts(trx, channelId, [number]))) > 0);
    await inChannel(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('comments')
        .where('channel_id', '=', channelId)
        .where('number', '=', number)
        // The comment may have been restored or hidden meanwhile.
        .where('deleted_at_ms', '<=', beforeMs)
        .where('hidden_at_ms', 'is', null)
        .executeTakeFirst();
      if (numDeletedRows > 0n) await eraseContent(trx, channelId, [number]);
    });
  }
}

/** Erases the images, thanks, versions and index entries of comments. Call it after deleting their rows. */
export async function eraseContent(
  trx: Database,
  channelId: string,
  numbers: number[],
): Promise<void> {
  const images = await trx
    .selectFrom('comment_images')
    .select('url')
    .where('channel_id', '=', channelId)
    .where('number', 'in', numbers)
    .execute();
  await releaseImages(
    trx,
    images.map(({ url }) => url),
  );
  for (const table of contentTables) {
    await trx
      .deleteFrom(table as 'comment_images')
      .where('channel_id', '=', channelId)
      .where('number', 'in', numbers)
      .execute();
  }
  await eraseIndexedComments(trx, channelId, numbers);
}

/**
 * Erases the excerpts of one batch of replies to these comments. Call `lockChannel` before, and repeat it
 * until it returns 0. @returns how many excerpts were erased
 */
export async function eraseExcerpts(
  trx: Database,
  channelId: string,
  numbers: number[],
): Promise<number> {
  const quoting = trx
    .selectFrom('comments')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('reply_to', 'in', numbers)
    .where('reply_excerpt', 'is not', null)
    .limit(batchSize);
  const { numUpdatedRows } = await trx
    .updateTable('comments')
    .set({ reply_excerpt: null })
    .where('channel_id', '=', channelId)
    .where('number', 'in', quoting)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
