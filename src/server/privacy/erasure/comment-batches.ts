import type { Database } from '../../database/tables.ts';

/**
 * Yields the keys of an account's comments, of the comments it gave thanks for, or of those with dates that it answered, in batches of one channel until
 * none is left. The caller erases each batch before it takes the next one.
 */
export async function* commentBatches(
  db: Database,
  table: 'comments' | 'comment_thanks' | 'event_rsvps',
  accountId: string,
  batchSize: number,
): AsyncGenerator<{ channelId: string; numbers: number[] }> {
  for (;;) {
    const keys = await db
      .selectFrom(table)
      .select(['channel_id', 'number'])
      .where('account_id', '=', accountId)
      .limit(batchSize)
      .execute();
    if (keys.length === 0) return;
    for (const [channelId, ofChannel] of Map.groupBy(keys, (key) => key.channel_id))
      yield { channelId, numbers: ofChannel.map(({ number }) => number) };
  }
}
