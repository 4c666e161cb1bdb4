import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import { requireWriter } from '../../accounts/standing/restrictions.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { hasLeftTrash, isInTrash, isVisible } from '../visible-rows.ts';
import { requireComment } from './comment-queries.ts';
import type { CommentServices } from './post-comment.ts';
import {
  findStored,
  lockVisibleChannel,
  type StoredComment,
  setVisibility,
} from './stored-comments.ts';

/**
 * Moves the caller's comment to their trash. Does nothing if it is already there.
 * @throws ApiError `channel_not_found`, `comment_not_found`, `not_yours`
 */
export async function deleteComment(
  services: CommentServices,
  callerId: string,
  key: CommentKey,
): Promise<void> {
  await services.withTransaction(`channel ${key.channelId}`, async (trx, announce) => {
    await lockVisibleChannel(trx, key.channelId);
    const comment = await findStored(trx, key);
    if (comment?.account_id === callerId && isInTrash(comment)) return;
    const stored = await requireAuthor(trx, comment, callerId);
    await setVisibility(trx, announce, [stored], { deleted_at_ms: services.now() });
  });
}

/**
 * Restores a comment from the caller's trash. Does nothing if it is visible.
 * @throws ApiError `channel_not_found`, `comment_not_found`, `not_yours`; `not_restorable` when it was deleted too long
 * ago or is hidden by a moderator; errors of `requireWriter`
 */
export async function restoreComment(
  services: CommentServices,
  callerId: string,
  key: CommentKey,
): Promise<Comment> {
  return services.withTransaction(`channel ${key.channelId}`, async (trx, announce) => {
    await requireWriter(trx, callerId, services.now());
    const channel = await lockVisibleChannel(trx, key.channelId);
    const comment = await findStored(trx, key);
    if (!comment) {
      const isErased = key.number <= channel.last_comment_number;
      throw new ApiError(isErased ? 'not_restorable' : 'comment_not_found');
    }
    if (comment.account_id !== callerId || isVisible(comment)) {
      await requireAuthor(trx, comment, callerId);
      return requireComment(trx, key);
    }
    const nowMs = services.now();
    if (!isInTrash(comment) || hasLeftTrash(comment, nowMs)) throw new ApiError('not_restorable');
    await setVisibility(trx, announce, [comment], { deleted_at_ms: null });
    return requireComment(trx, key);
  });
}

/** @throws ApiError `comment_not_found` when it is not visible; `not_yours` */
export async function requireAuthor(
  trx: Database,
  comment: StoredComment | undefined,
  callerId: string,
): Promise<StoredComment> {
  if (!comment || !isVisible(comment)) throw new ApiError('comment_not_found');
  if (comment.account_id === callerId) return comment;
  // The comment is not found when its author is hidden.
  await requireComment(trx, { channelId: comment.channel_id, number: comment.number });
  throw new ApiError('not_yours', { detail: 'Este comentario lo escribió otra persona.' });
}
