import { commentId } from '../../../shared/comment-id.ts';
import type { Actor } from '../../accounts/actor.ts';
import { audited } from '../../database/audit-log.ts';
import type { Database } from '../../database/tables.ts';
import { setChannelVisibility } from '../../forum/channels/change-channel.ts';
import { eraseChannel } from '../../forum/channels/erase-channels.ts';
import { eraseComments } from '../../forum/comments/erase-comments.ts';
import { findStored, lockChannel, setVisibility } from '../../forum/comments/stored-comments.ts';
import { isMarkedForErasure, markedForErasure } from '../../forum/visible-rows.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Content } from '../decisions/locked-content.ts';
import { eraseCaseImages } from '../reports/report-retention.ts';

/**
 * Erases a comment, or a channel with all its comments, which takes longer the more it has. The sweep erases their
 * images later.
 * @throws ApiError `channel_not_found`, `comment_not_found`
 */
export async function eraseContent(actor: Actor, content: Content): Promise<void> {
  await markForErasure(actor, content);
  const { channelId } = content;
  if (content.kind === 'channel') await eraseChannel(actor.db, channelId);
  else await eraseComments(actor, channelId, [content.number], markedForErasure.deleted_at_ms);
}

/**
 * Begins an erasure that cannot be undone: the content is no longer shown, and the server's hourly housekeeping erases
 * it even if `eraseContent` is interrupted.
 * @param check refuses by an error, under the lock of the channel
 * @throws ApiError `channel_not_found`, `comment_not_found`
 */
export async function markForErasure(
  actor: Actor,
  content: Content,
  check?: (trx: Database) => Promise<void>,
): Promise<void> {
  const { kind, channelId } = content;
  const subject = kind === 'channel' ? channelId : commentId(channelId, content.number);
  await audited(actor, actor.actorName, `channel ${channelId}`, async (trx, changed, announce) => {
    const channel = await lockChannel(trx, channelId);
    const comment = kind === 'comment' ? await findStored(trx, content) : undefined;
    // The comments of a channel that is being erased are erased with it.
    if (!channel || (comment && isMarkedForErasure(channel)))
      throw new ApiError('channel_not_found');
    if (kind === 'comment' && !comment) throw new ApiError('comment_not_found');
    if (isMarkedForErasure(comment ?? channel)) return;
    await check?.(trx);
    if (comment) {
      await setVisibility(trx, announce, [comment], markedForErasure);
    } else {
      await setChannelVisibility(trx, channel, markedForErasure);
      await announce({ kind: 'channel', channelId });
    }
    await eraseCaseImages(trx, content);
    changed(`erase-${kind}`, subject);
  });
}
