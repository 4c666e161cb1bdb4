import { commentNumber } from '../../shared/comment-id.ts';
import { InvalidCursor } from './errors.ts';

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
 * @throws InvalidCursor
 */
export function parseChannelCursor(after: string): ChannelCursor {
  const [, count, id] =
    /^(\d{1,9})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(after) ?? [];
  if (count === undefined || id === undefined) throw new InvalidCursor();
  return { commentCount: Number(count), id };
}

export interface CommentCursor {
  number: number;
  /** Site generation that issued the cursor; undefined when the cursor is a plain comment id. */
  generation: string | undefined;
}

/**
 * Parses a position in a channel: a comment id, or the id of a live event (shared/live.ts).
 * @throws InvalidCursor
 */
export function parseCommentCursor(channelId: string, after: string): CommentCursor {
  const [, generation, id = after] = /^([0-9a-f]{16})\.(.*)$/s.exec(after) ?? [];
  const number = commentNumber(channelId, id);
  if (number === undefined || number > 0x7fffffff) throw new InvalidCursor();
  return { number, generation };
}

/**
 * The comment number after which a list continues. @param generation the site's current one
 * @throws InvalidCursor, also for a cursor from before the site was restored
 */
export function parseListCursor(channelId: string, after: string, generation: string): number {
  const cursor = parseCommentCursor(channelId, after);
  if ((cursor.generation ?? generation) !== generation) throw new InvalidCursor();
  return cursor.number;
}
