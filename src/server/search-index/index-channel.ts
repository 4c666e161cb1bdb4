import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { channelsToken, eraseIndexedComments } from './index-comment.ts';
import { indexOf } from './index-of.ts';
import { tokensOf } from './words.ts';

/**
 * `number` of a channel's own doc, whose `doc` is the channel's number in the index. Comments have numbers from 1.
 */
const channelNumber = 0;

/**
 * Indexes the current name and description of a channel, visible or not. Call it after every change to them, in the
 * same transaction.
 */
export async function indexChannel(trx: Database, channelId: string): Promise<void> {
  const channel = await trx
    .selectFrom('channels')
    .select(['name', 'description'])
    .where('id', '=', channelId)
    .executeTakeFirst();
  // The channel has been erased.
  if (!channel) return;
  const words = tokensOf(`${channel.name}\n${channel.description}`);
  const tokens = [...words, channelsToken];
  await sql`
    insert into search_channels (channel_id) values (${channelId}) on conflict do nothing
  `.execute(trx);
  const { id: doc } = await trx
    .selectFrom('search_channels')
    .select('id')
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  await sql`
    insert into search_docs (doc, channel, number) values (${doc}, ${doc}, ${channelNumber})
    on conflict do nothing
  `.execute(trx);
  await indexOf(trx).writeWords(trx, [{ doc, tokens }]);
}

/** Erases a channel from the index. Call `eraseIndexedComments` for its comments first. */
export async function eraseIndexedChannel(trx: Database, channelId: string): Promise<void> {
  await eraseIndexedComments(trx, channelId, [channelNumber]);
  await trx.deleteFrom('search_channels').where('channel_id', '=', channelId).execute();
}
