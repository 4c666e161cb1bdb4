import { lockChannel } from '../../forum/comments/stored-comments.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Thanks withdrawn per transaction, so that other writes can run in between. */
const batchSize = 100;

/** Withdraws all thanks that an account gave, and erases the notifications about them. */
export async function eraseThanksOf(
  { db, withTransaction }: ErasureServices,
  accountId: string,
): Promise<void> {
  for (;;) {
    const keys = await db
      .selectFrom('comment_thanks')
      .select(['channel_id', 'number'])
      .where('account_id', '=', accountId)
      .limit(batchSize)
      .execute();
    if (keys.length === 0) return;
    for (const [channelId, ofChannel] of Map.groupBy(keys, (key) => key.channel_id)) {
      const numbers = ofChannel.map(({ number }) => number);
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
        await announce({ kind: 'thanks', channelId });
      });
    }
  }
}
