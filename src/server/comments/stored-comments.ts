import { type Selectable, sql } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';
import { isVisible, isVisibleRow, type Visibility } from '../database/visible-rows.ts';
import { ApiError } from '../http/api-error.ts';
import { indexComments } from '../search/index/index-comment.ts';
import { maxChanges, recordChanges } from './numbered-changes.ts';

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
export async function lockVisibleChannel(trx: Database, channelId: string) {
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
 * Numbers of the visible replies to a comment, at most `maxChanges` + 1.
 * @param quoting selects only replies with an excerpt
 */
export async function findReplies(
  trx: Database,
  { channelId, number }: CommentKey,
  { quoting }: { quoting: boolean },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('comments')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('reply_to', '=', number)
    .where(isVisibleRow)
    .$if(quoting, (query) => query.where('reply_excerpt', 'is not', null))
    .orderBy('number')
    .limit(maxChanges + 1)
    .execute();
  return rows.map((row) => row.number);
}

/**
 * Deletes, restores, hides or shows comments of one channel. For those whose visibility changes, updates the
 * counts of the channel and of the comments they reply to and the search index, and records the changes, also
 * of their replies, which name their author and quote them. Call `lockChannel` before.
 */
export async function setVisibility(
  trx: Database,
  announce: Announce,
  comments: [StoredComment, ...StoredComment[]],
  visibility: Partial<Visibility>,
  nowMs: number,
): Promise<void> {
  const channelId = comments[0].channel_id;
  await trx
    .updateTable('comments')
    .set(visibility)
    .where('channel_id', '=', channelId)
    .where('number', 'in', comments.map(numberOf))
    .execute();
  const becomesVisible = (comment: StoredComment) => isVisible({ ...comment, ...visibility });
  const changed = comments.filter((comment) => becomesVisible(comment) !== isVisible(comment));
  const [first] = changed;
  if (!first) return;
  const willBeVisible = becomesVisible(first);
  const found = changed.map(
    ({ number, text, account_id: authorId }) =>
      [number, willBeVisible ? { text, authorId } : undefined] as const,
  );
  await indexComments(trx, channelId, new Map(found));
  const sign = willBeVisible ? 1 : -1;
  // The channel's row is updated once: PostgreSQL keeps each version of it until the next vacuum.
  await addToCommentCount(trx, channelId, sign * changed.length);
  const numbers = new Set(changed.map(numberOf));
  for (const [number, replies] of Map.groupBy(changed, (reply) => reply.reply_to)) {
    if (number === null) continue;
    const more = sign * replies.length;
    if (await addToReplyCount(trx, { channelId, number }, more)) numbers.add(number);
  }
  for (const { number, reply_count } of changed) {
    if (reply_count === 0) continue;
    const replies = await findReplies(trx, { channelId, number }, { quoting: false });
    for (const reply of replies) numbers.add(reply);
  }
  numbers.delete(first.number);
  await recordChanges(trx, announce, channelId, [first.number, ...numbers], nowMs);
}

const numberOf = ({ number }: StoredComment) => number;

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
