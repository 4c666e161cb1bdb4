import type { Channel } from '../../../shared/channels.ts';
import { limits } from '../../../shared/limits.ts';
import { lockStaff } from '../../accounts/standing/staff.ts';
import { audited } from '../../database/audit-log.ts';
import { ApiError } from '../../http/api-error.ts';
import { type ChannelServices, listPinnedChannels, requireChannel } from './channel-queries.ts';

/**
 * Pins a channel to the top of the home page, or unpins it. The revision stays, since nothing that the author wrote
 * changes.
 * @returns the channel without comments
 * @throws ApiError `channel_not_found`; `staff_only` when the caller is not an admin; `too_many_pinned`
 */
export async function setPinned(
  services: ChannelServices,
  callerId: string,
  channelId: string,
  isPinned: boolean,
): Promise<Channel> {
  return audited(services, callerId, 'pinned channels', async (trx, changed, announce) => {
    // Serializes changes by several admins.
    const staff = await lockStaff(trx, callerId);
    const channel = await requireChannel(trx, channelId, 0);
    if (staff.find(({ id }) => id === callerId)?.role !== 'admin') {
      throw new ApiError('staff_only', {
        detail: 'Los canales los fija quien administra el foro.',
      });
    }
    if (isPinned === channel.isPinned) return channel;
    if (isPinned && (await listPinnedChannels(trx)).length >= limits.pinnedChannels)
      throw new ApiError('too_many_pinned');
    await trx
      .updateTable('channels')
      .set({ pinned_at_ms: isPinned ? services.now() : null })
      .where('id', '=', channelId)
      .execute();
    changed(isPinned ? 'pin-channel' : 'unpin-channel', channelId);
    await announce({ kind: 'channel', channelId });
    return { ...channel, isPinned };
  });
}
