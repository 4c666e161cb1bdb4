import { type Selectable, sql } from 'kysely';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Database, Tables } from '../../database/tables.ts';
import type { Announce } from '../../database/transactions.ts';
import { isPublic, type Visibility } from '../../database/visible-rows.ts';
import { ApiError } from '../../http/api-error.ts';

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
 * Deletes, restores, hides or shows comments of one channel, updates the count of the channel and announces the change.
 * Call `lockChannel` before.
 */
export async function setVisibility(
  trx: Database,
  announce: Announce,
  comments: [StoredComment, ...StoredComment[]],
  visibility: Partial<Visibility>,
): Promise<void> {
  const channelId = comments[0].channel_id;
  const numbers = comments.map(({ number }) => number);
  const before = await countShown(trx, channelId, numbers);
  await trx
    .updateTable('comments')
    .set(visibility)
    .where('channel_id', '=', channelId)
    .where('number', 'in', numbers)
    .execute();
  const more = (await countShown(trx, channelId, numbers)) - before;
  if (more !== 0) await addToCommentCount(trx, channelId, more);
  await announce({ kind: 'channel', channelId, numbers });
}

/** How many comments, of some, `comment_count` counts. */
async function countShown(trx: Database, channelId: string, numbers: number[]): Promise<number> {
  const rows = await trx
    .selectFrom('comments')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('number', 'in', numbers)
    .where(isPublic('comments'))
    .execute();
  return rows.length;
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
  (select created_at_ms from comments where channel_id = channels.id and ${isPublic('comments')}
   order by number desc limit 1),
  channels.created_at_ms)`;
