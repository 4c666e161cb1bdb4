import { commentTables } from '../database/table-register.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { forEachDespiteErrors } from '../despite-errors.ts';
import { markForSweep } from '../images/image-visibility.ts';
import { eraseIndexedComments } from '../search/index/index-comment.ts';
import { lockChannel } from './stored-comments.ts';

/** Rows changed by one transaction, so that other writes can run in between, and rows of one query. */
const batchSize = 500;

/**
 * Erases the comments that their authors deleted before this time, except hidden ones. An interrupted call can
 * be repeated. A failure stops it only after the other comments of the batch.
 */
export async function eraseDeletedComments(
  services: { db: Database; transact: Transact },
  beforeMs: number,
): Promise<void> {
  for (;;) {
    const comments = await services.db
      .selectFrom('comments')
      .select(['channel_id', 'number'])
      .where('deleted_at_ms', '<=', beforeMs)
      .where('hidden_at_ms', 'is', null)
      .orderBy('deleted_at_ms')
      .limit(batchSize)
      .execute();
    if (comments.length === 0) return;
    await forEachDespiteErrors(comments, ({ channel_id, number }) =>
      eraseComments(services, channel_id, [number], beforeMs),
    );
  }
}

/**
 * Erases comments of a channel with their content and the excerpts in replies, in several transactions. Whoever
 * calls it has deleted them before, so that they are in no count and no list; others, and hidden ones, are left.
 * @param beforeMs the latest time at which they were deleted
 */
export async function eraseComments(
  { transact }: { transact: Transact },
  channelId: string,
  numbers: number[],
  beforeMs: number,
): Promise<void> {
  const inChannel = <T>(work: (trx: Database) => Promise<T>) =>
    transact(`channel ${channelId}`, async (trx) => {
      await lockChannel(trx, channelId);
      return work(trx);
    });
  let excerpts = batchSize;
  while (excerpts === batchSize) {
    excerpts = await inChannel((trx) => eraseExcerpts(trx, channelId, numbers));
  }
  await inChannel(async (trx) => {
    const erased = await trx
      .deleteFrom('comments')
      .where('channel_id', '=', channelId)
      .where('number', 'in', numbers)
      // A comment may have been restored or hidden meanwhile.
      .where('deleted_at_ms', '<=', beforeMs)
      .where('hidden_at_ms', 'is', null)
      .returning('number')
      .execute();
    if (erased.length === 0) return;
    await eraseDetails(
      trx,
      channelId,
      erased.map(({ number }) => number),
    );
  });
}

/** Erases the images, thanks, versions and index entries of comments. Call it after deleting their rows. */
async function eraseDetails(trx: Database, channelId: string, numbers: number[]): Promise<void> {
  const images = await trx
    .selectFrom('comment_images')
    .select('url')
    .where('channel_id', '=', channelId)
    .where('number', 'in', numbers)
    .execute();
  await markForSweep(
    trx,
    images.map(({ url }) => url),
  );
  for (const table of commentTables) {
    await trx
      .deleteFrom(table as 'comment_images')
      .where('channel_id', '=', channelId)
      .where('number', 'in', numbers)
      .execute();
  }
  await eraseIndexedComments(trx, channelId, numbers);
}

/** Erases up to `batchSize` excerpts in replies to these comments. @returns how many it erased */
async function eraseExcerpts(trx: Database, channelId: string, numbers: number[]): Promise<number> {
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
