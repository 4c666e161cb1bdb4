import { commentNumber } from '../../shared/comment-id.ts';
import { Refusal } from '../errors.ts';

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
 * @throws Refusal `invalid_cursor`
 */
export function parseChannelCursor(after: string): ChannelCursor {
  const [, count, id] =
    /^(\d{1,9})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(after) ?? [];
  if (count === undefined || id === undefined) throw new Refusal('invalid_cursor');
  return { commentCount: Number(count), id };
}

/** A comment list's cursor is the id of the last comment seen. @throws Refusal `invalid_cursor` */
export function parseCommentCursor(channelId: string, after: string): number {
  const number = commentNumber(channelId, after);
  if (number === undefined || number > 0x7fffffff) throw new Refusal('invalid_cursor');
  return number;
}
