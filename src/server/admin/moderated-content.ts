import { commentNumber } from '../../shared/comment-id.ts';
import type { Database } from '../database/tables.ts';
import { AdminError } from './admin.ts';

interface CommentPlace {
  channelId: string;
  number: number;
}
export type Content = { kind: 'channel'; channelId: string } | ({ kind: 'comment' } & CommentPlace);

/** Comments deleted by one statement, so that the server's writes can run in between. */
const batchSize = 1000;

/** @param id of a channel or a comment @throws AdminError for anything else */
export function parseContentId(id: string): Content {
  const [, channelId, rest] =
    /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(-\d+)?$/.exec(id) ?? [];
  if (channelId && rest === undefined) return { kind: 'channel', channelId };
  const number = channelId ? commentNumber(channelId, id) : undefined;
  if (channelId && number && number < 2 ** 31) return { kind: 'comment', channelId, number };
  throw new AdminError(`${id} is not the id of a channel or a comment.`);
}

/** @throws AdminError when the channel is missing or hidden already */
export async function hideChannel(trx: Database, channelId: string, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set({ hidden_at_ms: nowMs })
    .where('id', '=', channelId)
    .where('hidden_at_ms', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AdminError('There is no such channel, or it is hidden.');
}

/** @throws AdminError when the channel is not hidden */
export async function showChannel(trx: Database, channelId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set({ hidden_at_ms: null })
    .where('id', '=', channelId)
    .where('hidden_at_ms', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AdminError('There is no such hidden channel.');
}

/** @throws AdminError when the comment is missing or hidden already */
export async function hideComment(
  trx: Database,
  place: CommentPlace,
  nowMs: number,
): Promise<void> {
  const comment = await removeShown(trx, place);
  await trx
    .insertInto('hidden_comments')
    .values({ ...comment, hidden_at_ms: nowMs })
    .execute();
}

/** @throws AdminError when the comment is not hidden */
export async function showComment(trx: Database, place: CommentPlace): Promise<void> {
  await addToCount(trx, place.channelId, 1);
  const comment = await removeFrom(trx, 'hidden_comments', place);
  if (!comment) throw new AdminError('There is no such hidden comment.');
  await trx.insertInto('comments').values(comment).execute();
}

/** Deletes a comment, hidden or not. @throws AdminError when there is no such comment */
export async function deleteComment(trx: Database, place: CommentPlace): Promise<void> {
  if (!(await removeFrom(trx, 'hidden_comments', place))) await removeShown(trx, place);
}

/**
 * Deletes a channel with all its comments. Hide it before, so that no comment is added meanwhile. It
 * can be repeated when it was interrupted.
 */
export async function deleteHiddenChannel(db: Database, channelId: string): Promise<void> {
  const { last_comment_number: last } = await db
    .selectFrom('channels')
    .select('last_comment_number')
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow();
  for (const table of ['comments', 'hidden_comments'] as const) {
    for (let upTo = batchSize; upTo < last + batchSize; upTo += batchSize) {
      await db
        .deleteFrom(table as 'comments')
        .where('channel_id', '=', channelId)
        .where('number', '<=', upTo)
        .execute();
    }
  }
  await db.deleteFrom('channels').where('id', '=', channelId).execute();
}

async function removeShown(trx: Database, place: CommentPlace) {
  await addToCount(trx, place.channelId, -1);
  const comment = await removeFrom(trx, 'comments', place);
  if (!comment) throw new AdminError('There is no such comment, or it is hidden.');
  return comment;
}

/** Call it before changing a comment: a new comment locks the rows in the same order. */
async function addToCount(trx: Database, channelId: string, more: number): Promise<void> {
  await trx
    .updateTable('channels')
    .set((eb) => ({ comment_count: eb('comment_count', '+', more) }))
    .where('id', '=', channelId)
    .execute();
}

/** Removes a comment from a table. @returns undefined when it was not there */
function removeFrom(
  trx: Database,
  table: 'comments' | 'hidden_comments',
  { channelId, number }: CommentPlace,
) {
  return trx
    .deleteFrom(table as 'comments')
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .returning(['channel_id', 'number', 'account_id', 'text', 'created_at_ms'])
    .executeTakeFirst();
}
