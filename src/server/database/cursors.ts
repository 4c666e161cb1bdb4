import { commentNumber } from '../../shared/comment-id.ts';
import { ApiError } from '../http/api-error.ts';

/** Sort key of the last channel on a page of the channel list. */
export interface ChannelCursor {
  commentCount: number;
  id: string;
}

export function formatChannelCursor(cursor: ChannelCursor): string {
  return `${cursor.commentCount}_${cursor.id}`;
}

/**
 * Accepts hyphens only where UUIDs have them: a malformed id would sort differently in SQLite and in
 * a PostgreSQL with a linguistic collation.
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
  /** Site generation that issued the cursor; undefined when the cursor is a plain comment id. */
  generation: string | undefined;
}

/**
 * Parses a position in a channel: a comment id, or the id of a live event (shared/live.ts).
 * @throws ApiError `invalid_cursor`
 */
export function parseCommentCursor(channelId: string, after: string): CommentCursor {
  const [, generation, id = after] = /^([0-9a-f]{16})\.(.*)$/s.exec(after) ?? [];
  const number = commentNumber(channelId, id);
  if (number === undefined || number > 0x7fffffff) throw new ApiError('invalid_cursor');
  return { number, generation };
}

/**
 * The comment number after which a list continues. @param generation the site's current one
 * @throws ApiError `invalid_cursor`, also for a cursor from before the site was restored
 */
export function parseListCursor(channelId: string, after: string, generation: string): number {
  const cursor = parseCommentCursor(channelId, after);
  if ((cursor.generation ?? generation) !== generation) throw new ApiError('invalid_cursor');
  return cursor.number;
}
