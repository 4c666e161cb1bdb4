import type { Database } from '../../database/tables.ts';
import { writeWords } from './index-rows.ts';
import { tokensOf } from './words.ts';

/**
 * Indexes the current name and description of a channel, or none when the channel is not visible. Call
 * it after every change of the channel's row, in the same transaction.
 */
export async function indexChannel(trx: Database, channelId: string): Promise<void> {
  const channel = await trx
    .selectFrom('visible_channels')
    .select(['name', 'description'])
    .where('id', '=', channelId)
    .executeTakeFirst();
  const tokens = channel && tokensOf(`${channel.name}\n${channel.description}`);
  const key = await internChannel(trx, channelId);
  await writeWords(trx, 'search_channels', [{ key, tokens }]);
}

/** Erases a channel from the index. Call `eraseIndexedComments` before. */
export async function eraseIndexedChannel(trx: Database, channelId: string): Promise<void> {
  const rows = await trx
    .deleteFrom('search_channels')
    .where('channel_id', '=', channelId)
    .returning('id')
    .execute();
  const erased = rows.map(({ id }) => ({ key: id, tokens: undefined }));
  await writeWords(trx, 'search_channels', erased);
}

/** @returns `search_channels.id` of the channel, inserted when it is missing */
export async function internChannel(trx: Database, channelId: string): Promise<number> {
  const { id } = await trx
    .insertInto('search_channels')
    .values({ channel_id: channelId })
    // An existing row is returned only when it is updated.
    .onConflict((conflict) => conflict.column('channel_id').doUpdateSet({ channel_id: channelId }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
