import { eraseComments } from '../../comments/erase-comments.ts';
import { lockChannel, setVisibility } from '../../comments/stored-comments.ts';
import { markedForErasure } from '../../database/visible-rows.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Comments that one transaction erases, so that other writes can run in between. */
const batchSize = 100;

/** Erases all comments of an account with their content and the excerpts in replies. */
export async function eraseCommentsOf(services: ErasureServices, accountId: string): Promise<void> {
  const { db, transact } = services;
  for (;;) {
    const keys = await db
      .selectFrom('comments')
      .select(['channel_id', 'number'])
      .where('account_id', '=', accountId)
      .limit(batchSize)
      .execute();
    if (keys.length === 0) return;
    for (const [channelId, ofChannel] of Map.groupBy(keys, (key) => key.channel_id)) {
      const numbers = ofChannel.map(({ number }) => number);
      await transact(`channel ${channelId}`, async (trx, announce) => {
        await lockChannel(trx, channelId);
        const [first, ...others] = await trx
          .selectFrom('comments')
          .selectAll()
          .where('channel_id', '=', channelId)
          .where('number', 'in', numbers)
          .execute();
        if (first) await setVisibility(trx, announce, [first, ...others], markedForErasure);
      });
      await eraseComments(services, channelId, numbers, markedForErasure.deleted_at_ms);
    }
  }
}
