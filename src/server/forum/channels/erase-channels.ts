import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { deleteRows } from '../../database/delete-rows.ts';
import type { Database } from '../../database/tables.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { eraseIndexedChannel } from '../../search-index/index-channel.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { eraseRows } from '../comments/erase-comments.ts';
import { markedForErasure } from '../visible-rows.ts';

/**
 * Comments erased per transaction. Queries on SQLite are synchronous, so other requests run in between; on PostgreSQL a
 * statement has little time, in which it also deletes what belongs to the comments.
 */
const batchSize = 25;

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
  for (let from = 1; from <= channel.last_comment_number; from += batchSize) {
    const numbers = { from, to: from + batchSize - 1 };
    await db.transaction().execute((trx) => eraseRows(trx, channelId, numbers));
    await yieldToEventLoop();
  }
  // The foreign keys would delete all of these rows by one statement.
  for (const table of ['notifications', 'reading_positions'] as const)
    await deleteRows(db, table, sql`channel_id = ${channelId}`);
  // One transaction: a second erasure running at the same time locks the channel's row and indexes it again.
  await db.transaction().execute(async (trx) => {
    await markForSweep(trx, await coversOf(trx, channelId));
    await erasePeopleOf(trx, channelId);
    await trx.deleteFrom('channels').where('id', '=', channelId).execute();
    await eraseIndexedChannel(trx, channelId);
  });
}

/** Lets the next pass erase the imported people of a chat, of whom nothing else is stored. */
async function erasePeopleOf(trx: Database, channelId: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ deletion_at_ms: 0, deletion_content: 'erase' })
    .where('admission', '=', 'imported')
    .where('erased_at_ms', 'is', null)
    .where('id', 'in', (eb) =>
      eb.selectFrom('imported_people').select('account_id').where('channel_id', '=', channelId),
    )
    .execute();
}

/** URLs of the present and former covers of a channel. */
async function coversOf(trx: Database, channelId: string): Promise<string[]> {
  const present = trx.selectFrom('channels').select('cover').where('id', '=', channelId);
  const former = trx
    .selectFrom('channel_versions')
    .select('cover')
    .where('channel_id', '=', channelId);
  const covers = await present.unionAll(former).execute();
  return covers.map(({ cover }) => cover);
}
