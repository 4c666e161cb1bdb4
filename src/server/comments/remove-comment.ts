import type { Comment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { requireComment } from './comment-queries.ts';
import type { CommentServices } from './post-comment.ts';
import {
  type CommentPlace,
  changeComments,
  countMoved,
  findIn,
  lockShownChannel,
  putBack,
  takeFrom,
} from './stored-comments.ts';

/** How long deleted comments and channels can be restored. */
export const binMs = limits.binDays * 86_400_000;

/**
 * Moves the caller's comment to their bin. Deleting one that is in the bin changes nothing.
 * @throws ApiError `channel_not_found`, `comment_not_found`, `not_yours`
 */
export async function deleteComment(
  services: CommentServices,
  callerId: string,
  place: CommentPlace,
): Promise<void> {
  await changeComments(services, place.channelId, async (trx, nowMs) => {
    await lockShownChannel(trx, place.channelId);
    const deleted = await findIn(trx, 'deleted_comments', place);
    if (deleted?.account_id === callerId) return { value: undefined };
    await requireOwn(trx, callerId, place);
    const comment = await takeFrom(trx, 'comments', place);
    if (!comment) throw new ApiError('comment_not_found');
    await trx
      .insertInto('deleted_comments')
      .values({ ...comment, deleted_at_ms: nowMs })
      .execute();
    const change = await countMoved(trx, services.live, comment, -1, nowMs);
    return { value: undefined, change };
  });
}

/**
 * Moves a comment from the caller's bin back to its channel. Restoring one that is there changes
 * nothing.
 * @throws ApiError `channel_not_found`, `comment_not_found`, `not_yours`; `not_restorable` when it was
 * deleted too long ago, or a moderator has hidden it since
 */
export async function restoreComment(
  services: CommentServices,
  callerId: string,
  place: CommentPlace,
): Promise<Comment> {
  return changeComments(services, place.channelId, async (trx, nowMs) => {
    const channel = await lockShownChannel(trx, place.channelId);
    const deleted = await trx
      .selectFrom('deleted_comments')
      .select(['account_id', 'deleted_at_ms'])
      .where('channel_id', '=', place.channelId)
      .where('number', '=', place.number)
      .executeTakeFirst();
    if (!deleted) {
      const hidden = await findIn(trx, 'hidden_comments', place);
      if (hidden?.account_id === callerId) throw new ApiError('not_restorable');
      if (!hidden && !(await findIn(trx, 'comments', place))) {
        const isErased = place.number >= 1 && place.number <= channel.last_comment_number;
        throw new ApiError(isErased ? 'not_restorable' : 'comment_not_found');
      }
      await requireOwn(trx, callerId, place);
      return { value: await requireComment(trx, place) };
    }
    if (deleted.account_id !== callerId) throw new ApiError('comment_not_found');
    if (deleted.deleted_at_ms <= nowMs - binMs) throw new ApiError('not_restorable');
    const comment = await takeFrom(trx, 'deleted_comments', place);
    if (!comment) throw new ApiError('comment_not_found');
    await putBack(trx, comment);
    const change = await countMoved(trx, services.live, comment, 1, nowMs);
    return { value: await requireComment(trx, place), change };
  });
}

/** @throws ApiError `comment_not_found` when it is not visible; `not_yours` */
export async function requireOwn(
  trx: Database,
  callerId: string,
  place: CommentPlace,
): Promise<void> {
  const comment = await findIn(trx, 'comments', place);
  if (!comment) throw new ApiError('comment_not_found');
  if (comment.account_id !== callerId) {
    throw new ApiError('not_yours', { detail: 'Este comentario lo escribió otra persona.' });
  }
}
