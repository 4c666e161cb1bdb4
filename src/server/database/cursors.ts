import { commentNumber } from '../../shared/comment-id.ts';
import { ApiError } from '../http/api-error.ts';

/** Where a page of the channel list ended: its last channel's place in the order. */
export interface ChannelCursor {
  commentCount: number;
  id: string;
}

export function formatChannelCursor(cursor: ChannelCursor): string {
  return `${cursor.commentCount}_${cursor.id}`;
}

/**
 * Hyphens only where ids have them: elsewhere a PostgreSQL that sorts by a language's rules would
 * read a made-up id in another order than SQLite.
 * @throws ApiError `invalid_cursor`
 */
export function parseChannelCursor(after: string): ChannelCursor {
  const [, count, id] =
    /^(\d{1,9})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(after) ?? [];
  if (count === undefined || id === undefined) throw new ApiError('invalid_cursor');
  return { commentCount: Number(count), id };
}

export interface CommentCursor {
  number: number;
  /** Of the site that gave it out; undefined for a comment's id. */
  generation: string | undefined;
}

/**
 * Where a reader of a channel stands: a comment's id, or a live event's (shared/live.ts).
 * @throws ApiError `invalid_cursor`
 */
export function parseCommentCursor(channelId: string, after: string): CommentCursor {
  const [, generation, id = after] = /^([0-9a-f]{16})\.(.*)$/s.exec(after) ?? [];
  const number = commentNumber(channelId, id);
  if (number === undefined || number > 0x7fffffff) throw new ApiError('invalid_cursor');
  return { number, generation };
}

/**
 * The number after which a list goes on. @param generation the site's
 * @throws ApiError `invalid_cursor`, also for a cursor from before the site was restored
 */
export function parseListCursor(channelId: string, after: string, generation: string): number {
  const cursor = parseCommentCursor(channelId, after);
  if ((cursor.generation ?? generation) !== generation) throw new ApiError('invalid_cursor');
  return cursor.number;
}
