import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { completeComments, selectComments } from './comment-details.ts';
import { selectAfter, selectTextSizes } from './comment-pages.ts';

/**
 * All comments numbered above `afterNumber`, oldest first; undefined when there are more than `limit` or their texts
 * exceed `bytes`. Reads the lengths first, so that no unused text is loaded.
 */
export async function listMissed(
  db: Database,
  channelId: string,
  { afterNumber, limit, bytes }: { afterNumber: number; limit: number; bytes: number },
): Promise<Comment[] | undefined> {
  const sizes = await selectTextSizes(db, channelId)
    .where('number', '>', afterNumber)
    .orderBy('number')
    .limit(limit + 1)
    .execute();
  const size = sizes.reduce((sum, one) => sum + one.bytes, 0);
  if (sizes.length > limit || size > bytes) return undefined;
  return completeComments(db, await selectAfter(db, channelId, afterNumber, limit).execute());
}

export async function findComment(
  db: Database,
  { channelId, number }: CommentKey,
): Promise<Comment | undefined> {
  const rows = await selectComments(db)
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .execute();
  const [comment] = await completeComments(db, rows);
  return comment;
}

/** @throws ApiError `comment_not_found` */
export async function requireComment(db: Database, key: CommentKey): Promise<Comment> {
  const comment = await findComment(db, key);
  if (!comment) throw new ApiError('comment_not_found');
  return comment;
}

/** Number of the channel's newest comment, 0 before the first; undefined when the channel is not visible. */
export async function findNewestNumber(
  db: Database,
  channelId: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('visible_channels')
    .select('last_comment_number')
    .where('id', '=', channelId)
    .executeTakeFirst();
  return row?.last_comment_number;
}
