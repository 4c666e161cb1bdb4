import { commentNumber } from '../../shared/comment-id.ts';
import { eraseContent, eraseExcerpts } from '../comments/erase-comments.ts';
import {
  type CommentKey,
  findStored,
  lockChannel,
  setVisibility,
} from '../comments/stored-comments.ts';
import type { Database } from '../database/tables.ts';
import { indexChannel } from '../search/index/index-channel.ts';
import { type Admin, AdminError } from './audited.ts';

export type Content = { kind: 'channel'; channelId: string } | ({ kind: 'comment' } & CommentKey);

/** @param id of a channel or a comment @throws AdminError for anything else */
export function parseContentId(id: string): Content {
  const [, channelId, rest] =
    /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(-\d+)?$/.exec(id) ?? [];
  if (channelId && rest === undefined) return { kind: 'channel', channelId };
  const number = channelId ? commentNumber(channelId, id) : undefined;
  if (channelId && number && number < 2 ** 31) return { kind: 'comment', channelId, number };
  throw new AdminError(`${id} is not the id of a channel or a comment.`);
}

/** @throws AdminError when there is no such channel, or a moderator has hidden it already */
export async function hideChannel(trx: Database, channelId: string, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set({ hidden_at_ms: nowMs })
    .where('id', '=', channelId)
    .where('hidden_at_ms', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AdminError('There is no such channel, or it is hidden.');
  await indexChannel(trx, channelId);
}

/**
 * Shows a channel again; if its author had deleted it, it returns to the author's bin.
 * @throws AdminError when no moderator has hidden it
 */
export async function showChannel(trx: Database, channelId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set({ hidden_at_ms: null })
    .where('id', '=', channelId)
    .where('hidden_at_ms', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AdminError('There is no such hidden channel.');
  await indexChannel(trx, channelId);
}

/**
 * Hides a channel unless it is hidden already, so that its author cannot restore it.
 * @throws AdminError when there is no such channel
 */
export async function ensureHidden(trx: Database, channelId: string, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('channels')
    .set((eb) => ({ hidden_at_ms: eb.fn.coalesce('hidden_at_ms', eb.val(nowMs)) }))
    .where('id', '=', channelId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AdminError('There is no such channel.');
  await indexChannel(trx, channelId);
}

/**
 * Hides a comment. If its author had deleted it, the author cannot restore it any more.
 * @throws AdminError when there is no such comment, or it is hidden already
 */
export async function hideComment(trx: Database, admin: Admin, key: CommentKey): Promise<void> {
  await lockChannel(trx, key.channelId);
  const comment = await findStored(trx, key);
  if (!comment || comment.hidden_at_ms !== null) {
    throw new AdminError('There is no such comment, or it is hidden.');
  }
  const nowMs = admin.now();
  await setVisibility(trx, admin.live, comment, { hidden_at_ms: nowMs }, nowMs);
}

/**
 * Shows a comment again; if its author had deleted it, it returns to the author's bin.
 * @throws AdminError when it is not hidden
 */
export async function showComment(trx: Database, admin: Admin, key: CommentKey): Promise<void> {
  await lockChannel(trx, key.channelId);
  const comment = await findStored(trx, key);
  if (!comment || comment.hidden_at_ms === null) {
    throw new AdminError('There is no such hidden comment.');
  }
  await setVisibility(trx, admin.live, comment, { hidden_at_ms: null }, admin.now());
}

/**
 * Erases a comment, hidden or not, with its images, versions and thanks, and the excerpts in replies.
 * @throws AdminError when there is no such comment
 */
export async function eraseComment(trx: Database, admin: Admin, key: CommentKey): Promise<void> {
  await lockChannel(trx, key.channelId);
  const comment = await findStored(trx, key);
  if (!comment) throw new AdminError('There is no such comment.');
  const nowMs = admin.now();
  await setVisibility(trx, admin.live, comment, { hidden_at_ms: nowMs }, nowMs);
  await trx
    .deleteFrom('comments')
    .where('channel_id', '=', key.channelId)
    .where('number', '=', key.number)
    .execute();
  await eraseContent(trx, key.channelId, [key.number]);
  while ((await eraseExcerpts(trx, key.channelId, [key.number])) > 0);
}
