import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { eraseIndexedComments } from '../../search-index/index-comment.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { lockChannel } from './stored-comments.ts';

/** Rows per query. */
const batchSize = 500;
/** How long people can still be told what became of a date, once a notification of it was written. */
const toldMs = 3_600_000;

/**
 * SQL condition on `comments`: nobody awaits word of its dates. A comment with dates to come is erased only after those
 * who come were told that they do not take place.
 */
export const areDatesTold = (nowMs: number) => sql<SqlBool>`(carries is null or not exists (
  select 1 from event_dates where event_dates.channel_id = comments.channel_id
    and event_dates.number = comments.number and starts_at_ms > ${nowMs - toldMs}
    and (told_cancelled = 0 or told_at_ms > ${nowMs - toldMs})))`;

/**
 * Erases the comments that their authors deleted before this time, including hidden ones. An interrupted call can be
 * repeated. An error is thrown only after the other comments of the batch.
 */
export async function eraseDeletedComments(
  services: { db: Database; withTransaction: WithTransaction; now: () => number },
  beforeMs: number,
): Promise<void> {
  for (;;) {
    const comments = await services.db
      .selectFrom('comments')
      .select(['channel_id', 'number'])
      .where('deleted_at_ms', '<=', beforeMs)
      .where(areDatesTold(services.now()))
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
 * first, which removes them from counts and lists. One with dates that people still have to be told of is left to
 * housekeeping.
 * @param beforeMs the latest deletion time to erase
 */
export async function eraseComments(
  { withTransaction, now }: { withTransaction: WithTransaction; now: () => number },
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
      .where(areDatesTold(now()))
      .execute();
    const deleted = found.map(({ number }) => number);
    if (deleted.length > 0) await eraseRows(trx, channelId, deleted);
  });
}

/**
 * Erases comments with their index entries, and lets the sweep delete their images and files. Foreign keys delete what belongs to
 * a comment. No foreign key of notifications refers to comments, because a follower's names a number that no comment need
 * have, and also stands for later comments, so it stays.
 */
export async function eraseRows(
  trx: Database,
  channelId: string,
  numbers: number[] | { from: number; to: number },
): Promise<void> {
  const isMeant = Array.isArray(numbers)
    ? sql<SqlBool>`channel_id = ${channelId} and number in (${sql.join(numbers)})`
    : sql<SqlBool>`channel_id = ${channelId} and number between ${numbers.from} and ${numbers.to}`;
  const urls = [];
  for (const table of ['comment_images', 'comment_files', 'comment_version_images'] as const) {
    const images = await trx.selectFrom(table).select('url').where(isMeant).execute();
    urls.push(...images.map(({ url }) => url));
  }
  await markForSweep(trx, urls);
  await trx.deleteFrom('notifications').where(isMeant).where('kind', '<>', 'comment').execute();
  await trx.deleteFrom('comments').where(isMeant).execute();
  // After the rows, which a running build of the index locks while it indexes them.
  await eraseIndexedComments(trx, channelId, numbers);
}
