import { setTimeout as delay } from 'node:timers/promises';
import { eraseRows } from '../../forum/comments/erase-comments.ts';
import { lockChannel, setVisibility } from '../../forum/comments/stored-comments.ts';
import { markedForErasure } from '../../forum/visible-rows.ts';
import { commentBatches } from './comment-batches.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Comments erased per transaction, which other writers in the same channel wait for. */
const batchSize = 25;
/** Pause after each transaction, so that the disk can take other writes. */
const pauseMs = 50;

/** Erases all comments of an account with their content. */
export async function eraseCommentsOf(services: ErasureServices, accountId: string): Promise<void> {
  const { db, withTransaction } = services;
  const batches = commentBatches(db, 'comments', accountId, batchSize);
  for await (const { channelId, numbers } of batches) {
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
      await eraseRows(trx, channelId, numbers);
    });
    await delay(pauseMs);
  }
}
