import { type Selectable, sql } from 'kysely';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Database, Tables } from '../../database/tables.ts';
import type { Announce } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { isPublic, type Visibility } from '../visible-rows.ts';

export type StoredComment = Selectable<Tables['comments']>;

/**
 * Locks the channel's row, so that transactions that change its comments run one after the other: comments read
 * afterwards do not change until this transaction ends.
 * @returns undefined when there is no such channel
 */
export function lockChannel(trx: Database, channelId: string) {
  return trx
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', channelId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Like `lockChannel`. @throws ApiError `channel_not_found` when there is none or it is not visible */
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

/** Finds a comment, visible or not. */
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

/** Whether visitors are shown a comment. */
export async function isCommentVisible(
  db: Database,
  { channelId, number }: CommentKey,
): Promise<boolean> {
  const comment = await db
    .selectFrom('visible_comments')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .executeTakeFirst();
  return comment !== undefined;
}

/**
 * Deletes, restores, hides or shows comments of one channel, or gives them to another account, updates the channel's comment
 * count and announces the change. Call `lockChannel` first.
 */
export async function setVisibility(
  trx: Database,
  announce: Announce,
  comments: [StoredComment, ...StoredComment[]],
  visibility: Partial<Visibility & Pick<StoredComment, 'account_id'>>,
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

/** Counts how many of these comments are included in `comment_count`. */
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

/** Adds `more` to a channel's comment count, and updates the time of its last activity. */
async function addToCommentCount(trx: Database, channelId: string, more: number): Promise<void> {
  await trx
    .updateTable('channels')
    .set((eb) => ({ comment_count: eb('comment_count', '+', more), active_at_ms: newestAt }))
    .where('id', '=', channelId)
    .execute();
}

/** Creation time of the channel's newest visible comment, or of the channel itself if it has none. */
export const newestAt = sql<number>`coalesce(
  (select created_at_ms from comments where channel_id = channels.id and ${isPublic('comments')}
   order by number desc limit 1),
  channels.created_at_ms)`;
