import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { Database } from '../../database/tables.ts';
import { channelTokens, joinTokens } from './postgres-index.ts';
import { replaceFtsRows } from './sqlite-index.ts';
import { tokensOf } from './words.ts';

/**
 * Makes a channel found by its present name and description, or no longer found when it is hidden.
 * Call it after every change of its row, in the same transaction.
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

/** Deletes an erased channel from the index, after its comments. */
export async function forgetChannel(trx: Database, channelId: string): Promise<void> {
  const row = await trx
    .deleteFrom('search_channels')
    .where('channel_id', '=', channelId)
    .returning('id')
    .executeTakeFirst();
  if (!row || isPostgres(trx)) return;
  await replaceFtsRows(trx, 'search_channels_fts', [{ rowid: row.id, tokens: undefined }]);
}

/** @returns the number that stands for the channel in the index, made when it is missing */
export async function internChannel(trx: Database, channelId: string): Promise<number> {
  const { id } = await trx
    .insertInto('search_channels')
    .values({ channel_id: channelId })
    // The row is returned only when it is updated.
    .onConflict((conflict) => conflict.column('channel_id').doUpdateSet({ channel_id: channelId }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
