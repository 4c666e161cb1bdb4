import { isPast, type TimedCursor } from '../../database/cursors.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Keys of comments read by one query. */
const batchSize = 1000;

/** Makes readers fetch the channels of the account, and the channels where it still has comments. */
export async function announceErasure(services: ErasureServices, id: string): Promise<void> {
  const { db, transact } = services;
  const own = await db
    .selectFrom('visible_channels')
    .select('id')
    .where('account_id', '=', id)
    .execute();
  const channelIds = (await channelsWith(services, id)).union(new Set(own.map((row) => row.id)));
  for (const channelId of channelIds) {
    await transact(`channel ${channelId}`, (_trx, announce) =>
      announce({ kind: 'channel', channelId }),
    );
  }
}

/** Ids of the channels, also hidden ones, with visible comments of the account. */
async function channelsWith({ db }: ErasureServices, id: string): Promise<Set<string>> {
  const channels = new Set<string>();
  let after: TimedCursor | undefined;
  for (;;) {
    const keys = await db
      .selectFrom('comments')
      .select(['created_at_ms', 'channel_id', 'number'])
      .where('account_id', '=', id)
      .where('deleted_at_ms', 'is', null)
      .where('hidden_by', 'is', null)
      .where(isPast('created_at_ms', '>', after))
      .orderBy('created_at_ms')
      .orderBy('channel_id')
      .orderBy('number')
      .limit(batchSize)
      .execute();
    const last = keys.at(-1);
    if (!last) return channels;
    after = { atMs: last.created_at_ms, channelId: last.channel_id, number: last.number };
    for (const { channel_id } of keys) channels.add(channel_id);
  }
}
