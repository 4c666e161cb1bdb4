import { type SqlBool, sql } from 'kysely';
import { commentTables } from '../../database/table-register.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { eraseIndexedComments } from '../../search/index/index-comment.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { lockChannel } from './stored-comments.ts';

/** Rows per query. */
const batchSize = 500;

/**
 * Erases the comments that their authors deleted before this time, including hidden ones. An interrupted call can be
 * repeated. An error is thrown only after the other comments of the batch.
 */
export async function eraseDeletedComments(
  services: { db: Database; withTransaction: WithTransaction },
  beforeMs: number,
): Promise<void> {
  for (;;) {
    const comments = await services.db
      .selectFrom('comments')
      .select(['channel_id', 'number'])
      .where('deleted_at_ms', '<=', beforeMs)
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
 * Erases comments of a channel with their content. Comments that were not deleted are skipped, so a caller deletes them
 * first, which removes them from counts and lists.
 * @param beforeMs the latest deletion time to erase
 */
export async function eraseComments(
  { withTransaction }: { withTransaction: WithTransaction },
  channelId: string,
  numbers: number[],
  beforeMs: number,
): Promise<void> {
  await withTransaction(`channel ${channelId}`, async (trx) => {
    await lockChannel(trx, channelId);
    // A comment may have been restored since it was selected.
    const found = await trx
      .selectFrom('comments')
      .select('number')
      .where('channel_id', '=', channelId)
      .where('number', 'in', numbers)
      .where('deleted_at_ms', '<=', beforeMs)
      .execute();
    const deleted = found.map(({ number }) => number);
    if (deleted.length > 0) await eraseDeleted(trx, channelId, deleted);
  });
}

/** Erases deleted comments of a locked channel with their images, thanks, versions and index entries. */
export async function eraseDeleted(
  trx: Database,
  channelId: string,
  numbers: number[],
): Promise<void> {
  const urls = [];
  for (const table of ['comment_images', 'comment_version_images'] as const) {
    const images = await trx
      .selectFrom(table)
      .select('url')
      .where('channel_id', '=', channelId)
      .where('number', 'in', numbers)
      .execute();
    urls.push(...images.map(({ url }) => url));
  }
  await markForSweep(trx, urls);
  for (const table of ['comments', ...commentTables]) {
    await trx
      .deleteFrom(table as 'comments')
      .where('channel_id', '=', channelId)
      .where('number', 'in', numbers)
      // A follower's notification names the first new comment, but also stands for later ones, so it stays.
      .$if(table === 'notifications', (query) => query.where(sql<SqlBool>`kind <> 'comment'`))
      .execute();
  }
  await eraseIndexedComments(trx, channelId, numbers);
}
