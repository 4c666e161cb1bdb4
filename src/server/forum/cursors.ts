import { type SqlBool, sql } from 'kysely';
import type { ChannelOrder } from '../../shared/channels.ts';
import { type CommentKey, parseCommentId } from '../../shared/comment-id.ts';
import { InvalidCursor } from '../database/errors.ts';

/**
 * Accepts hyphens only where UUIDs have them: a malformed id would sort differently in SQLite and in
 * a PostgreSQL with a linguistic collation.
 */
export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Sort key of the last channel on a page of the channel list. Each order has its own cursors. */
export type ChannelCursor =
  | { order: 'comments'; commentCount: number; id: string }
  | { order: 'activity'; activeAtMs: number; id: string }
  | { order: 'new'; id: string };

export function formatChannelCursor(cursor: ChannelCursor): string {
  if (cursor.order === 'comments') return `${cursor.commentCount}_${cursor.id}`;
  if (cursor.order === 'activity') return `activity_${cursor.activeAtMs}_${cursor.id}`;
  return `new_${cursor.id}`;
}

const channelCursors = {
  comments: /^(\d{1,9})_(.{36})$/,
  activity: /^activity_(\d{1,15})_(.{36})$/,
  new: /^new_()(.{36})$/,
};

/** @throws InvalidCursor, also for a cursor of another order */
export function parseChannelCursor(order: ChannelOrder, after: string): ChannelCursor {
  const [, value, id] = channelCursors[order].exec(after) ?? [];
  if (value === undefined || id === undefined || !uuid.test(id)) throw new InvalidCursor();
  if (order === 'comments') return { order, commentCount: Number(value), id };
  if (order === 'activity') return { order, activeAtMs: Number(value), id };
  return { order, id };
}

/** Sort key of the last comment on a page of comments of several channels, which are ordered by a time. */
export interface TimedCursor extends CommentKey {
  atMs: number;
}

/**
 * Whether a row of `comments` comes after a cursor, in the order of a time, the channel and the number.
 * @param operator `>` for an ascending order, `<` for a descending one
 * @param cursor undefined for the first page
 */
export function isPast(
  time: 'created_at_ms' | 'deleted_at_ms',
  operator: '<' | '>',
  cursor: TimedCursor | undefined,
) {
  if (!cursor) return sql<SqlBool>`true`;
  const { atMs, channelId, number } = cursor;
  return sql<SqlBool>`(${sql.ref(`comments.${time}`)}, comments.channel_id, comments.number)
    ${sql.raw(operator)} (${atMs}, ${channelId}, ${number})`;
}

/** Prefixes of cursors: none for a person's comments, sorted by creation; `deleted_` for the trash, sorted by deletion. */
export type TimedPrefix = '' | 'deleted_';

export function formatTimedCursor(prefix: TimedPrefix, cursor: TimedCursor): string {
  return `${prefix}${cursor.atMs}_${cursor.channelId}-${cursor.number}`;
}

/** @throws InvalidCursor, also for a cursor with another prefix */
export function parseTimedCursor(prefix: TimedPrefix, after: string): TimedCursor {
  const rest = after.startsWith(prefix) ? after.slice(prefix.length) : '';
  const [, ms, id = ''] = /^(\d{1,15})_(.+)$/.exec(rest) ?? [];
  const key = parseCommentId(id);
  if (!key || !uuid.test(key.channelId)) throw new InvalidCursor();
  return { atMs: Number(ms), ...key };
}

/** Sort key of the last item on a page of a list that is ordered by a time and by id, newest first. */
export interface IdCursor {
  atMs: number;
  id: string;
}

/** Whether a row comes after a cursor. @param cursor undefined for the first page */
export function isPastId(time: string, id: string, cursor: IdCursor | undefined) {
  if (!cursor) return sql<SqlBool>`true`;
  return sql<SqlBool>`(${sql.ref(time)}, ${sql.ref(id)}) < (${cursor.atMs}, ${cursor.id})`;
}

export const formatIdCursor = ({ atMs, id }: IdCursor) => `${atMs}_${id}`;

/** @throws InvalidCursor */
export function parseIdCursor(after: string): IdCursor {
  const [, ms, id] = /^(\d{1,15})_(.{36})$/.exec(after) ?? [];
  if (id === undefined || !uuid.test(id)) throw new InvalidCursor();
  return { atMs: Number(ms), id };
}

/** The comment number after or before which a list continues. @throws InvalidCursor */
export function parseCommentCursor(channelId: string, id: string): number {
  const key = parseCommentId(id);
  if (key?.channelId !== channelId) throw new InvalidCursor();
  return key.number;
}
