import { type Selectable, sql } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';
import { isShown, type Visibility } from '../database/visible-rows.ts';
import { ApiError } from '../http/api-error.ts';
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
  const visible = await trx
    .selectFrom('visible_channels')
    .select('id')
    .where('id', '=', channelId)
    .executeTakeFirst();
  if (!channel || !visible) throw new ApiError('channel_not_found');
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
 * Numbers of the comments, neither hidden nor deleted, that answer some of a channel, at most `maxChanges` + 1.
 * @param quoting selects only replies with an excerpt
 */
export async function findReplies(
  trx: Database,
  channelId: string,
  numbers: number[],
  { quoting }: { quoting: boolean },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('comments')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('reply_to', 'in', numbers)
    .where(isShown('comments'))
    .$if(quoting, (query) => query.where('reply_excerpt', 'is not', null))
    .limit(maxChanges + 1)
    .execute();
  return rows.map((row) => row.number);
}

/**
 * Deletes, restores, hides or shows comments of one channel. For those that are shown or not shown any more, updates
 * the count of the channel and records the changes, also of the comments that they answer, and of their replies, which
 * name their author and quote them. Call `lockChannel` before.
 */
export async function setVisibility(
  trx: Database,
  announce: Announce,
  comments: [StoredComment, ...StoredComment[]],
  visibility: Partial<Visibility>,
  nowMs: number,
): Promise<void> {
  const channelId = comments[0].channel_id;
  const numbers = comments.map(({ number }) => number);
  const before = await findShown(trx, channelId, numbers);
  await trx
    .updateTable('comments')
    .set(visibility)
    .where('channel_id', '=', channelId)
    .where('number', 'in', numbers)
    .execute();
  const after = await findShown(trx, channelId, numbers);
  const changed = before.symmetricDifference(after);
  const [first] = changed;
  if (first === undefined) return;
  // The channel's row is updated once: PostgreSQL keeps each version of it until the next vacuum.
  await addToCommentCount(trx, channelId, after.size - before.size);
  const answered = comments.flatMap((one) => (changed.has(one.number) ? (one.reply_to ?? []) : []));
  const replies = await findReplies(trx, channelId, [...changed], { quoting: false });
  const all = new Set([...changed, ...answered, ...replies]);
  all.delete(first);
  await recordChanges(trx, announce, channelId, [first, ...all], nowMs);
}

/** Numbers of the comments, of some, that `comment_count` counts. */
async function findShown(
  trx: Database,
  channelId: string,
  numbers: number[],
): Promise<Set<number>> {
  const rows = await trx
    .selectFrom('comments')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('number', 'in', numbers)
    .where(isShown('comments'))
    .execute();
  return new Set(rows.map(({ number }) => number));
}

/** Adds `more` to a channel's count of comments, and updates the time of its newest one. */
async function addToCommentCount(trx: Database, channelId: string, more: number): Promise<void> {
  await trx
    .updateTable('channels')
    .set((eb) => ({ comment_count: eb('comment_count', '+', more), active_at_ms: newestAt }))
    .where('id', '=', channelId)
    .execute();
}

/** When the newest comment of a channel that is shown was written, else when the channel was. */
export const newestAt = sql<number>`coalesce(
  (select created_at_ms from comments where channel_id = channels.id and ${isShown('comments')}
   order by number desc limit 1),
  channels.created_at_ms)`;
