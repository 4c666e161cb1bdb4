import { type Selectable, sql } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';
import { isVisible, isVisibleRow, type Removal } from '../database/visible-rows.ts';
import { ApiError } from '../http/api-error.ts';
import { indexComment, unindexComment } from '../search/index/index-comment.ts';
import { findReplies, recordChanges } from './numbered-changes.ts';

export interface CommentKey {
  channelId: string;
  number: number;
}

/** A row of `comments`. */
export type StoredComment = Selectable<Tables['comments']>;

/**
 * Locks the channel's row, so that transactions that change its comments run one after the other. No other
 * transaction changes the comments that are read after it.
 * @returns undefined when there is no such channel
 */
export function lockChannel(trx: Database, channelId: string) {
  return trx
    .updateTable('channels')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .where('id', '=', channelId)
    .returningAll()
    .executeTakeFirst();
}

/** As `lockChannel`. @throws ApiError `channel_not_found` when there is none or it is not visible */
export async function lockShownChannel(trx: Database, channelId: string) {
  const channel = await lockChannel(trx, channelId);
  if (!channel || !isVisible(channel)) throw new ApiError('channel_not_found');
  return channel;
}

/** A comment, visible or not; undefined when there is none. */
export function findStored(
  trx: Database,
  { channelId, number }: CommentKey,
): Promise<StoredComment | undefined> {
  return trx
    .selectFrom('comments')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .executeTakeFirst();
}

/**
 * Deletes, restores, hides or shows a comment. If its visibility changes, updates the counts of its channel
 * and of the comment it replies to and the search index, and records the changes, also of its replies,
 * which name its author and quote it. Call `lockChannel` before.
 */
export async function setVisibility(
  trx: Database,
  announce: Announce,
  comment: StoredComment,
  removal: Partial<Removal>,
  nowMs: number,
): Promise<void> {
  const { channel_id: channelId, number, reply_to, reply_count, text } = comment;
  const key = { channelId, number };
  await trx
    .updateTable('comments')
    .set(removal)
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .execute();
  const isShown = isVisible({ ...comment, ...removal });
  if (isShown === isVisible(comment)) return;
  await (isShown ? indexComment(trx, key, text) : unindexComment(trx, key));
  const more = isShown ? 1 : -1;
  await addToCommentCount(trx, channelId, more);
  const numbers: [number, ...number[]] = [number];
  if (reply_to !== null && (await addToReplyCount(trx, { channelId, number: reply_to }, more))) {
    numbers.push(reply_to);
  }
  if (reply_count > 0) numbers.push(...(await findReplies(trx, key, { quoting: false })));
  await recordChanges(trx, announce, channelId, numbers, nowMs);
}

/** Adds `more` to a channel's count of visible comments, and updates the time of its newest one. */
async function addToCommentCount(trx: Database, channelId: string, more: number): Promise<void> {
  await trx
    .updateTable('channels')
    .set((eb) => ({
      comment_count: eb('comment_count', '+', more),
      active_at_ms: sql<number>`coalesce(
        (select created_at_ms from comments
         where channel_id = channels.id and ${isVisibleRow} order by number desc limit 1),
        channels.created_at_ms)`,
    }))
    .where('id', '=', channelId)
    .execute();
}

/** @returns whether the comment is visible */
export async function addToReplyCount(
  trx: Database,
  { channelId, number }: CommentKey,
  more: number,
): Promise<boolean> {
  const row = await trx
    .updateTable('comments')
    .set((eb) => ({ reply_count: eb('reply_count', '+', more) }))
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .returning(['deleted_at_ms', 'hidden_at_ms'])
    .executeTakeFirst();
  return row !== undefined && isVisible(row);
}
