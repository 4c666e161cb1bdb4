import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { repeatOnViolation } from '../../database/foreign-keys.ts';
import { commentTables } from '../../database/table-register.ts';
import type { Database } from '../../database/tables.ts';
import { markedForErasure } from '../../database/visible-rows.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { eraseIndexedChannel } from '../../search-index/index-channel.ts';
import { eraseIndexedComments } from '../../search-index/index-comment.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';

/**
 * Rows that one statement deletes. Queries on SQLite are synchronous, so the loops yield in between to let other
 * requests run.
 */
const batchSize = 500;

/**
 * Erases the channels that their authors deleted before this time, including hidden ones. Marks them first, so that
 * nobody can hide or restore them. An interrupted call can be repeated.
 */
export async function eraseDeletedChannels(db: Database, beforeMs: number): Promise<void> {
  const channels = await db
    .updateTable('channels')
    .set(markedForErasure)
    .where('deleted_at_ms', '<=', beforeMs)
    .returning('id')
    .execute();
  await forEachDespiteErrors(channels, ({ id }) => eraseChannel(db, id));
}

/**
 * Erases a channel with all its comments and their content. Set `markedForErasure` first, so that no comment is added
 * and no moderator hides it during the erasure. An interrupted call can be repeated.
 */
export async function eraseChannel(db: Database, channelId: string): Promise<void> {
  const channel = await db
    .selectFrom('channels')
    .select('last_comment_number')
    .where('id', '=', channelId)
    .executeTakeFirst();
  // Housekeeping and a moderator may erase the same channel.
  if (!channel) return;
  const { last_comment_number } = channel;
  await markAllForSweep(db, channelId, last_comment_number);
  for (const table of [...commentTables, 'comments']) {
    for (let upTo = batchSize; upTo < last_comment_number + batchSize; upTo += batchSize) {
      await db
        .deleteFrom(table as 'comments')
        .where('channel_id', '=', channelId)
        .where('number', '<=', upTo)
        .execute();
      await yieldToEventLoop();
    }
  }
  for (let from = 1; from <= last_comment_number; from += batchSize) {
    const numbers = { from, to: from + batchSize - 1 };
    await db.transaction().execute((trx) => eraseIndexedComments(trx, channelId, numbers));
    await yieldToEventLoop();
  }
  await db.deleteFrom('channel_versions').where('channel_id', '=', channelId).execute();
  // A transaction that read the channel while it was visible may still write a reading position.
  await repeatOnViolation(async () => {
    while ((await deletePositions(db, channelId)) > 0n) await yieldToEventLoop();
    // One transaction: a second erasure running at the same time locks the channel's row and indexes it again.
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('channels').where('id', '=', channelId).execute();
      await eraseIndexedChannel(trx, channelId);
    });
  });
}

/** Calls `markForSweep` for the covers of an invisible channel and the images of its comments. */
async function markAllForSweep(db: Database, channelId: string, lastNumber: number): Promise<void> {
  const mark = async (urls: { url: string }[]) => {
    if (urls.length === 0) return;
    await db.transaction().execute((trx) =>
      markForSweep(
        trx,
        urls.map(({ url }) => url),
      ),
    );
  };
  const covers = db.selectFrom('channels').select('cover as url').where('id', '=', channelId);
  const formerCovers = db
    .selectFrom('channel_versions')
    .select('cover as url')
    .where('channel_id', '=', channelId);
  await mark(await covers.unionAll(formerCovers).execute());
  for (let from = 1; from <= lastNumber; from += batchSize) {
    for (const table of ['comment_images', 'comment_version_images'] as const) {
      const images = db
        .selectFrom(table)
        .select('url')
        .where('channel_id', '=', channelId)
        .where('number', '>=', from)
        .where('number', '<', from + batchSize);
      await mark(await images.execute());
    }
    await yieldToEventLoop();
  }
}

/** @returns how many reading positions were deleted */
async function deletePositions(db: Database, channelId: string): Promise<bigint> {
  const readers = db
    .selectFrom('reading_positions')
    .select('account_id')
    .where('channel_id', '=', channelId)
    .limit(batchSize);
  const { numDeletedRows } = await db
    .deleteFrom('reading_positions')
    .where('channel_id', '=', channelId)
    .where('account_id', 'in', readers)
    .executeTakeFirst();
  return numDeletedRows;
}
