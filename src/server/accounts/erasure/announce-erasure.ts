import {
  channelItself,
  forceRefetch,
  recordUnannouncedChanges,
} from '../../comments/numbered-changes.ts';
import { isPast, type TimedCursor } from '../../database/cursors.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Keys of comments read by one query. */
const batchSize = 1000;

/** Makes readers fetch the channels of the account, and the channels where it still has comments. */
export async function announceErasure(services: ErasureServices, id: string): Promise<void> {
  const { db, transact, now } = services;
  for (const channelId of await channelsWith(services, id)) {
    await transact(`channel ${channelId}`, (trx, announce) =>
      forceRefetch(trx, announce, [channelId]),
    );
  }
  const own = await db
    .selectFrom('visible_channels')
    .select('id')
    .where('account_id', '=', id)
    .execute();
  for (const { id: channelId } of own) {
    await transact(`channel ${channelId}`, async (trx, announce) => {
      await recordUnannouncedChanges(trx, channelId, [channelItself], now());
      await announce({ kind: 'channel', channelId });
    });
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
