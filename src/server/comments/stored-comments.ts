import { type Selectable, sql } from 'kysely';
import { commentTables, type Database, type Tables } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { LiveBus, Revision } from '../live/bus/live-bus.ts';
import { indexComment, unindexComment } from '../search/index/index-comment.ts';
import { findReplies, recordChanges } from './comment-changes.ts';

type CommentTable = (typeof commentTables)[number];

/** The tables with what belongs to comments, in whichever table their rows are. */
export const contentTables = [
  'comment_mentions',
  'comment_images',
  'comment_thanks',
  'comment_versions',
] as const;

export interface CommentPlace {
  channelId: string;
  number: number;
}

interface Services {
  transact: Transact;
  live: LiveBus;
  now: () => number;
}

/** Runs work in a transaction and, after the commit, publishes the change that it returns. */
export async function changeComments<T>(
  { transact, live, now }: Services,
  channelId: string,
  work: (trx: Database, nowMs: number) => Promise<{ value: T; change?: Revision }>,
): Promise<T> {
  const { value, change } = await transact(`channel ${channelId}`, (trx) => work(trx, now()));
  if (change) live.publish(change);
  return value;
}

/**
 * Locks the channel's row, so that transactions that change its comments run one after the other:
 * what the transaction reads from then on is not changed by another one.
 * @returns undefined when there is no such channel
 */
export function lockChannel(trx: Database, channelId: string) {
  return trx
    .updateTable('channels')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .where('id', '=', channelId)
    .returning(['id', 'account_id', 'last_comment_number', 'hidden_at_ms', 'deleted_at_ms'])
    .executeTakeFirst();
}

/** As `lockChannel`. @throws ApiError `channel_not_found` when there is none or it is hidden */
export async function lockShownChannel(trx: Database, channelId: string) {
  const channel = await lockChannel(trx, channelId);
  if (!channel || channel.hidden_at_ms !== null) throw new ApiError('channel_not_found');
  return channel;
}

/** The author of a comment in this table; undefined when it is not there. */
export function findIn(trx: Database, table: CommentTable, { channelId, number }: CommentPlace) {
  return trx
    .selectFrom(table as 'comments')
    .select(['account_id'])
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .executeTakeFirst();
}

/** A comment with its table, visible or not; undefined when there is none. */
export async function findAnywhere(trx: Database, { channelId, number }: CommentPlace) {
  for (const table of commentTables) {
    const row = await trx
      .selectFrom(table as 'comments')
      .select(commentColumns)
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .executeTakeFirst();
    if (row) return { table, row };
  }
  return undefined;
}

/** Removes a comment from a table. @returns its row; undefined when there was none */
export async function takeFrom(trx: Database, table: CommentTable, place: CommentPlace) {
  const row = await trx
    .deleteFrom(table as 'comments')
    .where('channel_id', '=', place.channelId)
    .where('number', '=', place.number)
    .returning(commentColumns)
    .executeTakeFirst();
  if (row && table === 'comments') await unindexComment(trx, place);
  return row;
}

/** Inserts a row that `takeFrom` returned where readers see it. */
export async function putBack(trx: Database, row: Selectable<Tables['comments']>): Promise<void> {
  await trx.insertInto('comments').values(row).execute();
  const place = { channelId: row.channel_id, number: row.number };
  await indexComment(trx, place, row.text);
}

/**
 * Counts a comment that was moved into `comments` (1) or out of it (-1), in its channel and in the
 * comment that it answers, and records the changes, also of its replies, which name its author and
 * quote it. Call `lockChannel` before.
 * @returns the change to publish after the commit
 */
export async function countMoved(
  trx: Database,
  live: Pick<LiveBus, 'announce'>,
  { channel_id, number, reply_to, reply_count }: CommentKey,
  more: 1 | -1,
  nowMs: number,
): Promise<Revision> {
  await addToCommentCount(trx, channel_id, more);
  const numbers: [number, ...number[]] = [number];
  if (reply_to !== null) {
    const table = await addToReplyCount(trx, { channelId: channel_id, number: reply_to }, more);
    if (table === 'comments') numbers.push(reply_to);
  }
  if (reply_count > 0) {
    const place = { channelId: channel_id, number };
    numbers.push(...(await findReplies(trx, place, { quoting: false })));
  }
  return recordChanges(trx, live, channel_id, numbers, nowMs);
}

/** Counts visible comments in or out of a channel, and finds when the newest of the others was written. */
export async function addToCommentCount(
  trx: Database,
  channelId: string,
  more: number,
): Promise<void> {
  await trx
    .updateTable('channels')
    .set((eb) => ({
      comment_count: eb('comment_count', '+', more),
      active_at_ms: sql<number>`coalesce(
        (select created_at_ms from comments
         where channel_id = channels.id order by number desc limit 1),
        channels.created_at_ms)`,
    }))
    .where('id', '=', channelId)
    .execute();
}

/** @returns the table that holds the comment; undefined when it was erased */
export async function addToReplyCount(
  trx: Database,
  { channelId, number }: CommentPlace,
  more: number,
): Promise<CommentTable | undefined> {
  for (const table of commentTables) {
    const { numUpdatedRows } = await trx
      .updateTable(table as 'comments')
      .set((eb) => ({ reply_count: eb('reply_count', '+', more) }))
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return table;
  }
  return undefined;
}

type CommentKey = Pick<
  Selectable<Tables['comments']>,
  'channel_id' | 'number' | 'reply_to' | 'reply_count'
>;

/** The columns that all tables of comments have. */
export const commentColumns = [
  'channel_id',
  'number',
  'account_id',
  'text',
  'created_at_ms',
  'revision',
  'edited_at_ms',
  'reply_to',
  'reply_excerpt',
  'reply_count',
  'mention_count',
  'image_count',
  'thanks_count',
] as const;
