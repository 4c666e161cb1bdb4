import { sql } from 'kysely';
import type { Channel } from '../../../shared/channels.ts';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { LiveCounts, LiveGone } from '../../../shared/live.ts';
import { requireChannel } from '../../channels/channel-queries.ts';
import { channelItself } from '../../comments/comment-changes.ts';
import { completeComments } from '../../comments/comment-details.ts';
import { listMissed } from '../../comments/comment-queries.ts';
import { jsonBytes, selectComments } from '../../comments/comment-rows.ts';
import type { Database } from '../../database/tables.ts';

/** What a reader of a channel has seen: comments and changes up to these numbers. */
export interface Position {
  number: number;
  changeNumber: number;
}

/** A changed comment as it now is, that it is gone, or the channel itself, without comments. */
type NewsData =
  | { event: 'edit'; data: Comment }
  | { event: 'gone'; data: LiveGone }
  | { event: 'channel'; data: Channel };
export type ChannelNews = NewsData & { changeNumber: number };

/** What happened in a channel since a position, to be sent in this order. */
export interface Missed {
  /**
   * One for each changed comment up to the reader's number, and for the channel itself, in the order of
   * their last changes.
   */
  changes: ChannelNews[];
  /** After all changes; undefined without any. */
  counts: LiveCounts | undefined;
  /** New comments, oldest first. */
  comments: Comment[];
}

/** Too much happened; what follows `skippedTo` is sent again. */
interface TooMuch {
  skippedTo: Position;
}

/** The newest comment and change; undefined without such a channel, or when it is hidden. */
export async function findPosition(db: Database, channelId: string) {
  const channel = await readNumbers(db, channelId);
  return channel && { number: channel.number, changeNumber: channel.changeNumber };
}

/**
 * All changes and new comments since a position, unless there are more than the limits or the changes
 * are no longer recorded; undefined without such a channel, or when it is hidden.
 * @param limits.rows of recorded changes, of which several may concern one comment
 * @param limits.comments changed or new
 * @param limits.bytes of their JSON
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
  const tooMuch = { skippedTo: { number: newestNumber, changeNumber } };
  // Read the numbers of changes first and the comments later: these contain the changes then.
  const rows = await readChanges(db, channelId, from, changeNumber, limits.rows);
  if (!rows) return tooMuch;
  // The last change of each comment stands for all. Comments beyond the position are read as new ones.
  const changed = new Map<number, number>();
  for (const { number, change_number } of rows) {
    changed.delete(number);
    if (number <= from.number) changed.set(number, change_number);
  }
  if (changed.size > limits.comments) return tooMuch;
  const numbers = [...changed.keys()].filter((number) => number !== channelItself);
  // Their texts alone, so that none is loaded in vain.
  const bytes = limits.bytes - (await textBytes(db, channelId, numbers));
  if (bytes < 0) return tooMuch;
  const edited = await readComments(db, channelId, numbers);
  const limit = limits.comments - numbers.length;
  const comments =
    newestNumber > from.number
      ? await listMissed(db, channelId, { afterNumber: from.number, limit, bytes })
      : [];
  if (!comments) return tooMuch;
  const shown = [...edited.values(), ...comments];
  if (shown.reduce((sum, one) => sum + jsonBytes(one), 0) > limits.bytes) return tooMuch;
  const edition = changed.has(channelItself) ? await requireChannel(db, channelId, 0) : undefined;
  const newsOf = (number: number): NewsData => {
    if (number === channelItself && edition) return { event: 'channel', data: edition };
    const comment = edited.get(number);
    if (comment) return { event: 'edit', data: comment };
    return { event: 'gone', data: { id: commentId(channelId, number), number } };
  };
  return {
    changes: [...changed].map(([number, changeNumber]) => ({ changeNumber, ...newsOf(number) })),
    counts: rows.length > 0 ? { removedCount, newestNumber, changeNumber } : undefined,
    comments,
  };
}

/** Numbers and counts of one moment. */
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

/** Undefined when they are more than `limit`, or when the oldest are deleted already. */
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
  const rows = await db
    .selectFrom('visible_comments')
    .select(sql<number>`octet_length(text)`.as('bytes'))
    .where('channel_id', '=', channelId)
    .where('number', 'in', numbers)
    .execute();
  return rows.reduce((sum, row) => sum + row.bytes, 0);
}

/** Comments by number; those that are gone are missing. */
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
