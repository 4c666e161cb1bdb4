import { lockChannel } from '../../forum/comments/stored-comments.ts';
import { commentBatches } from './comment-batches.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Thanks withdrawn per transaction, so that other writes can run in between. */
const batchSize = 100;

/** Withdraws all thanks that an account gave, and erases the notifications about them. */
export async function eraseThanksOf(
  { db, withTransaction }: ErasureServices,
  accountId: string,
): Promise<void> {
  const batches = commentBatches(db, 'comment_thanks', accountId, batchSize);
  for await (const { channelId, numbers } of batches) {
    await withTransaction(`channel ${channelId}`, async (trx, announce) => {
      await lockChannel(trx, channelId);
      await trx
        .deleteFrom('comment_thanks')
        .where('channel_id', '=', channelId)
        .where('number', 'in', numbers)
        .where('account_id', '=', accountId)
        .execute();
      await trx
        .deleteFrom('notifications')
        .where('channel_id', '=', channelId)
        .where('number', 'in', numbers)
        .where('kind', '=', 'thanks')
        .where('actor_id', '=', accountId)
        .execute();
      await announce({ kind: 'counts', channelId });
    });
  }
}
