import { commentNumber } from '../../shared/comment-id.ts';
import type { Database } from '../database/tables.ts';
import { AdminRefused } from './admin.ts';

interface Place {
  channelId: string;
  number: number;
}
export type Words = { kind: 'channel'; channelId: string } | ({ kind: 'comment' } & Place);

/** Comments deleted at a time: the server's own writes come in between. */
const batch = 1000;

/** @param id of a channel or a comment @throws AdminRefused for anything else */
export function parseContentId(id: string): Words {
  const [, channelId, rest] =
    /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(-\d+)?$/.exec(id) ?? [];
  if (channelId && rest === undefined) return { kind: 'channel', channelId };
  const number = channelId ? commentNumber(channelId, id) : undefined;
  if (channelId && number && number < 2 ** 31) return { kind: 'comment', channelId, number };
  throw new AdminRefused(`${id} is no id of a channel or a comment.`);
}

/** @throws AdminRefused when there is no such channel that is shown */
export async function hideChannel(trx: Database, channelId: string, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set({ hidden_at_ms: nowMs })
    .where('id', '=', channelId)
    .where('hidden_at_ms', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AdminRefused('No such channel is shown.');
}

/** @throws AdminRefused when there is no such channel that is hidden */
export async function showChannel(trx: Database, channelId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set({ hidden_at_ms: null })
    .where('id', '=', channelId)
    .where('hidden_at_ms', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AdminRefused('No such channel is hidden.');
}

/** @throws AdminRefused when there is no such comment that is shown */
export async function hideComment(trx: Database, place: Place, nowMs: number): Promise<void> {
  const comment = await takeShown(trx, place);
  await trx
    .insertInto('hidden_comments')
    .values({ ...comment, hidden_at_ms: nowMs })
    .execute();
}

/** @throws AdminRefused when there is no such comment that is hidden */
export async function showComment(trx: Database, place: Place): Promise<void> {
  await addToCount(trx, place.channelId, 1);
  const comment = await takeFrom(trx, 'hidden_comments', place);
  if (!comment) throw new AdminRefused('No such comment is hidden.');
  await trx.insertInto('comments').values(comment).execute();
}

/** Hidden or not. @throws AdminRefused when there is no such comment */
export async function deleteComment(trx: Database, place: Place): Promise<void> {
  if (!(await takeFrom(trx, 'hidden_comments', place))) await takeShown(trx, place);
}

/**
 * Deletes a channel, hidden before so that nothing is added any more, with all its comments. Killed
 * in the middle, it can be done again.
 */
export async function deleteHiddenChannel(db: Database, channelId: string): Promise<void> {
  const { last_comment_number: last } = await db
    .selectFrom('channels')
    .select('last_comment_number')
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow();
  for (const table of ['comments', 'hidden_comments'] as const) {
    for (let upTo = batch; upTo < last + batch; upTo += batch) {
      await db
        .deleteFrom(table as 'comments')
        .where('channel_id', '=', channelId)
        .where('number', '<=', upTo)
        .execute();
    }
  }
  await db.deleteFrom('channels').where('id', '=', channelId).execute();
}

async function takeShown(trx: Database, place: Place) {
  await addToCount(trx, place.channelId, -1);
  const comment = await takeFrom(trx, 'comments', place);
  if (!comment) throw new AdminRefused('No such comment is shown.');
  return comment;
}

/** Before any comment's row, so that the channel's is locked in the order in which a new one does. */
async function addToCount(trx: Database, channelId: string, more: number): Promise<void> {
  await trx
    .updateTable('channels')
    .set((eb) => ({ comment_count: eb('comment_count', '+', more) }))
    .where('id', '=', channelId)
    .execute();
}

/** @returns the comment, which is in the table no more; undefined when it was not */
function takeFrom(
  trx: Database,
  table: 'comments' | 'hidden_comments',
  { channelId, number }: Place,
) {
  return trx
    .deleteFrom(table as 'comments')
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .returning(['channel_id', 'number', 'account_id', 'text', 'created_at_ms'])
    .executeTakeFirst();
}
