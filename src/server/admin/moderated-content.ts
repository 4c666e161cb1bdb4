import { commentNumber } from '../../shared/comment-id.ts';
import type { Database } from '../database/tables.ts';
import { AdminError } from './admin.ts';

/** A channel, or one of its comments. */
export type Content =
  | { kind: 'channel'; channelId: string }
  | { kind: 'comment'; channelId: string; number: number };
type Comment = Extract<Content, { kind: 'comment' }>;

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

/** @throws AdminError when the content is missing or hidden already */
export async function hideContent(trx: Database, content: Content, nowMs: number): Promise<void> {
  if (content.kind === 'comment') {
    const comment = await removeShown(trx, content);
    await trx
      .insertInto('hidden_comments')
      .values({ ...comment, hidden_at_ms: nowMs })
      .execute();
    return;
  }
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set({ hidden_at_ms: nowMs })
    .where('id', '=', content.channelId)
    .where('hidden_at_ms', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AdminError('There is no such channel, or it is hidden.');
}

/** @throws AdminError when the content is not hidden */
export async function showContent(trx: Database, content: Content): Promise<void> {
  if (content.kind === 'comment') {
    await addToCount(trx, content.channelId, 1);
    const comment = await removeFrom(trx, 'hidden_comments', content);
    if (!comment) throw new AdminError('There is no such hidden comment.');
    await trx.insertInto('comments').values(comment).execute();
    return;
  }
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set({ hidden_at_ms: null })
    .where('id', '=', content.channelId)
    .where('hidden_at_ms', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AdminError('There is no such hidden channel.');
}

/** Deletes a comment, hidden or not. @throws AdminError when there is no such comment */
export async function deleteComment(trx: Database, comment: Comment): Promise<void> {
  if (!(await removeFrom(trx, 'hidden_comments', comment))) await removeShown(trx, comment);
}

/** Hides a channel unless it is hidden already. @throws AdminError when there is no such channel */
export async function ensureHidden(trx: Database, channelId: string, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set((eb) => ({ hidden_at_ms: eb.fn.coalesce('hidden_at_ms', eb.val(nowMs)) }))
    .where('id', '=', channelId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AdminError('There is no such channel.');
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

async function removeShown(trx: Database, comment: Comment) {
  await addToCount(trx, comment.channelId, -1);
  const row = await removeFrom(trx, 'comments', comment);
  if (!row) throw new AdminError('There is no such comment, or it is hidden.');
  return row;
}

/** Call it before changing a comment: a new comment locks the rows in the same order. */
async function addToCount(trx: Database, channelId: string, more: number): Promise<void> {
  await trx
    .updateTable('channels')
    .set((eb) => ({ comment_count: eb('comment_count', '+', more) }))
    .where('id', '=', channelId)
    .execute();
}

/** Removes a comment from a table. @returns its row; undefined when there was none */
function removeFrom(
  trx: Database,
  table: 'comments' | 'hidden_comments',
  { channelId, number }: Comment,
) {
  return trx
    .deleteFrom(table as 'comments')
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .returning(['channel_id', 'number', 'account_id', 'text', 'created_at_ms'])
    .executeTakeFirst();
}
