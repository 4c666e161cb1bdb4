import { setTimeout as delay } from 'node:timers/promises';
import { markedForErasure } from '../../database/visible-rows.ts';
import { eraseDeleted } from '../../forum/comments/erase-comments.ts';
import { lockChannel, setVisibility } from '../../forum/comments/stored-comments.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Comments erased per transaction, which other writers in the same channel wait for. */
const batchSize = 25;
/** Pause after each transaction, so that the disk can take other writes. */
const pauseMs = 50;

/** Erases all comments of an account with their content and the excerpts in replies. */
export async function eraseCommentsOf(services: ErasureServices, accountId: string): Promise<void> {
  const { db, withTransaction } = services;
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
      await withTransaction(`channel ${channelId}`, async (trx, announce) => {
        await lockChannel(trx, channelId);
        const [first, ...others] = await trx
          .selectFrom('comments')
          .selectAll()
          .where('channel_id', '=', channelId)
          .where('number', 'in', numbers)
          .execute();
        if (!first) return;
        await setVisibility(trx, announce, [first, ...others], markedForErasure);
        await eraseDeleted(trx, channelId, numbers);
      });
      await delay(pauseMs);
    }
  }
}
