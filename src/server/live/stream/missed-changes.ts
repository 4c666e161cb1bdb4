import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { LiveCounts, LiveGone } from '../../../shared/live.ts';
import { requireChannel } from '../../channels/channel-queries.ts';
import { completeComments, jsonBytes, selectComments } from '../../comments/comment-details.ts';
import { selectTextSizes } from '../../comments/comment-pages.ts';
import { listMissed } from '../../comments/comment-queries.ts';
import { channelItself } from '../../comments/numbered-changes.ts';
import type { Database } from '../../database/tables.ts';

/** The newest comment and change that a reader of a channel has seen. */
export interface Position {
  number: number;
  changeNumber: number;
}

/** A changed comment as it is now, that it is no longer visible, or the channel without comments. */
type EventData =
  | { event: 'edit'; data: Comment }
  | { event: 'gone'; data: LiveGone }
  | { event: 'channel'; data: Channel };
export type ChangeEvent = EventData & { changeNumber: number };

/** Changes and comments of a channel after a position, to be sent in this order. */
export interface Missed {
  /** One for each changed comment up to the reader's number and for the channel, by their last change. */
  changes: ChangeEvent[];
  /** Sent after all changes; undefined without any. */
  counts: LiveCounts | undefined;
  /** New comments, oldest first. */
  comments: Comment[];
}

/** More happened than is replayed; the stream continues after `skippedTo`. */
interface TooMuch {
  skippedTo: Position;
  counts: LiveCounts;
}

/** Finds the newest comment and change; undefined when the channel is unknown or not visible. */
export async function findPosition(db: Database, channelId: string) {
  const channel = await readNumbers(db, channelId);
  return channel && { number: channel.number, changeNumber: channel.changeNumber };
}

/**
 * Reads all changes and new comments after a position, or `skippedTo` when they exceed the limits or the
 * changes are no longer recorded; undefined when the channel is unknown or not visible.
 * @param limits.rows recorded changes, of which several may concern one comment
 * @param limits.comments changed or new comments
 * @param limits.bytes bytes of their JSON
 */
export async function readMissed(
  db: Database,
  channelId: string,
  from: Position,
  limits: { rows: number; comments: number; bytes: number },
): Promise<Missed | TooMuch | undefined> {
  const channel = await readNumbers(db, channelId);
  if (!channel) return undefined;
  const { changeNumber, removedCount, number: newestNumber } = channel;
  const counts = { removedCount, newestNumber, changeNumber };
  const tooMuch = { skippedTo: { number: newestNumber, changeNumber }, counts };
  // Read the numbers of changes before the comments, so that the comments contain these changes.
  const rows = await readChanges(db, channelId, from, changeNumber, limits.rows);
  if (!rows) return tooMuch;
  // Only the last change of each comment is sent. Comments beyond the position are read as new ones.
  const changed = new Map<number, number>();
  for (const { number, change_number } of rows) {
    changed.delete(number);
    if (number <= from.number) changed.set(number, change_number);
  }
  if (changed.size > limits.comments) return tooMuch;
  const numbers = [...changed.keys()].filter((number) => number !== channelItself);
  // Check the size of the texts first, so that no comment is loaded in vain.
  const bytes = limits.bytes - (await textBytes(db, channelId, numbers));
  if (bytes < 0) return tooMuch;
  const currentComments = await readComments(db, channelId, numbers);
  const limit = limits.comments - numbers.length;
  const comments =
    newestNumber > from.number
      ? await listMissed(db, channelId, { afterNumber: from.number, limit, bytes })
      : [];
  if (!comments) return tooMuch;
  const sent = [...currentComments.values(), ...comments];
  if (sent.reduce((sum, one) => sum + jsonBytes(one), 0) > limits.bytes) return tooMuch;
  const current = changed.has(channelItself) ? await requireChannel(db, channelId, 0) : undefined;
  const eventOf = (number: number): EventData => {
    if (number === channelItself && current) return { event: 'channel', data: current };
    const comment = currentComments.get(number);
    if (comment) return { event: 'edit', data: comment };
    return { event: 'gone', data: { id: commentId(channelId, number), number } };
  };
  return {
    changes: [...changed].map(([number, changeNumber]) => ({ changeNumber, ...eventOf(number) })),
    counts: rows.length > 0 ? counts : undefined,
    comments,
  };
}

/** Reads numbers and counts of the same moment. */
function readNumbers(db: Database, channelId: string) {
  return db
    .selectFrom('visible_channels')
    .select((eb) => [
      'last_comment_number as number',
      'last_change_number as changeNumber',
      eb('last_comment_number', '-', eb.ref('comment_count')).as('removedCount'),
    ])
    .where('id', '=', channelId)
    .executeTakeFirst();
}

/** Returns undefined when there are more than `limit`, or the oldest are already deleted. */
async function readChanges(
  db: Database,
  channelId: string,
  from: Position,
  upTo: number,
  limit: number,
) {
  const count = upTo - from.changeNumber;
  if (count <= 0) return [];
  if (count > limit) return undefined;
  const rows = await db
    .selectFrom('channel_changes')
    .select(['change_number', 'number'])
    .where('channel_id', '=', channelId)
    .where('change_number', '>', from.changeNumber)
    .where('change_number', '<=', upTo)
    .orderBy('change_number')
    .execute();
  return rows.length === count ? rows : undefined;
}

async function textBytes(db: Database, channelId: string, numbers: number[]): Promise<number> {
  if (numbers.length === 0) return 0;
  const rows = await selectTextSizes(db, channelId).where('number', 'in', numbers).execute();
  return rows.reduce((sum, row) => sum + row.bytes, 0);
}

/** Reads comments by number, without those that are not visible. */
async function readComments(
  db: Database,
  channelId: string,
  numbers: number[],
): Promise<Map<number, Comment>> {
  if (numbers.length === 0) return new Map();
  const rows = await selectComments(db)
    .where('channel_id', '=', channelId)
    .where('number', 'in', numbers)
    .execute();
  const comments = await completeComments(db, rows);
  return new Map(comments.map((comment) => [comment.number, comment]));
}
