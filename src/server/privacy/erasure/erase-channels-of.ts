import type { Database } from '../../database/tables.ts';
import { eraseChannel } from '../../forum/channels/erase-channels.ts';
import { lockChannel } from '../../forum/comments/stored-comments.ts';
import { markedForErasure } from '../../forum/visible-rows.ts';
import type { ErasureServices } from './erasure-services.ts';

/**
 * Erases an account's channels in which nobody else wrote, and the covers and earlier versions of its other channels.
 */
export async function eraseChannelsOf(services: ErasureServices, accountId: string): Promise<void> {
  const { db, withTransaction } = services;
  const channels = await db
    .selectFrom('channels')
    .select('id')
    .where('account_id', '=', accountId)
    .execute();
  for (const { id } of channels) {
    const isShared = await withTransaction(`channel ${id}`, async (trx, announce) => {
      // A moderator may have erased the channel in the meantime.
      if (!(await lockChannel(trx, id))) return true;
      const isShared = await hasOthers(trx, id, accountId);
      const parts = isShared ? { cover: '', cover_alt: '' } : markedForErasure;
      await trx.updateTable('channels').set(parts).where('id', '=', id).execute();
      await announce({ kind: 'channel', channelId: id });
      return isShared;
    });
    if (isShared) await db.deleteFrom('channel_versions').where('channel_id', '=', id).execute();
    else await eraseChannel(db, id);
  }
}

/** Whether the channel has comments by other people, including hidden and deleted ones. */
async function hasOthers(trx: Database, channelId: string, accountId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('comments')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('account_id', '<>', accountId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
