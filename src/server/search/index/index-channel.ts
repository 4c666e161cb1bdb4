import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { Database } from '../../database/tables.ts';
import { channelTokens, joinTokens } from './postgres-index.ts';
import { replaceFtsRows } from './sqlite-index.ts';
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
  const id = await internChannel(trx, channelId);
  if (!isPostgres(trx)) return replaceFtsRows(trx, 'search_channels_fts', [{ rowid: id, tokens }]);
  await sql`
    update search_channels
    set tokens = ${channelTokens(joinTokens(tokens))}
    where id = ${id}
  `.execute(trx);
}

/** Erases a channel from the index. Call `eraseIndexedComments` before. */
export async function eraseIndexedChannel(trx: Database, channelId: string): Promise<void> {
  const row = await trx
    .deleteFrom('search_channels')
    .where('channel_id', '=', channelId)
    .returning('id')
    .executeTakeFirst();
  if (!row || isPostgres(trx)) return;
  await replaceFtsRows(trx, 'search_channels_fts', [{ rowid: row.id, tokens: undefined }]);
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
