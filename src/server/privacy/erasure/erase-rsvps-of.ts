import { isAt } from '../../forum/comments/comment-keys.ts';
import { lockChannel } from '../../forum/comments/stored-comments.ts';
import { storeCounts } from '../../forum/events/event-rows.ts';
import { commentBatches } from './comment-batches.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Answers per transaction, so that other writes can run in between. */
const batchSize = 100;

/** Erases all answers of an account to dates, whose counts follow. */
export async function eraseRsvpsOf(
  { db, withTransaction }: ErasureServices,
  accountId: string,
): Promise<void> {
  const batches = commentBatches(db, 'event_rsvps', accountId, batchSize);
  for await (const { channelId, numbers } of batches) {
    await withTransaction(`channel ${channelId}`, async (trx, announce) => {
      await lockChannel(trx, channelId);
      await trx
        .deleteFrom('event_rsvps')
        .where('channel_id', '=', channelId)
        .where('number', 'in', numbers)
        .where('account_id', '=', accountId)
        .execute();
      await storeCounts(trx, isAt(numbers.map((number) => ({ channel_id: channelId, number }))));
      await announce({ kind: 'counts', channelId });
    });
  }
}
