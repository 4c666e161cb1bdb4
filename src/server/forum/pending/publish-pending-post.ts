import { findRestriction } from '../../accounts/standing/restrictions.ts';
import type { Database } from '../../database/tables.ts';
import type { Announce } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { publishChannel } from '../channels/create-channel.ts';
import { nextNumber, publishComment } from '../comments/post-comment.ts';
import { deletePendingPosts, type PendingRow, postOf } from './pending-rows.ts';

/**
 * Publishes a post that the caller has locked, like a new one.
 * @returns the id of the comment or channel
 * @throws ApiError `already_decided` when its author cannot write; `channel_closed`, `channel_not_found`
 */
export async function publishPendingPost(
  trx: Database,
  announce: Announce,
  row: PendingRow,
  nowMs: number,
): Promise<string> {
  const author = await trx
    .selectFrom('accounts')
    .select(['id', 'name', 'img', 'role', 'approved_at_ms'])
    .where('id', '=', row.account_id)
    .where('disabled_at_ms', 'is', null)
    .executeTakeFirst();
  // An erased account is also disabled.
  if (!author || (await findRestriction(trx, author.id, nowMs))) {
    const detail = 'Quien lo escribió no puede escribir ahora, así que no se puede publicar.';
    throw new ApiError('already_decided', { detail });
  }
  await deletePendingPosts(trx, [row.id]);
  const { kind, content } = postOf(row);
  // With its idempotency key, the published post answers a repeated request.
  const { key_hash, request_hash } = row;
  if (kind === 'channel') {
    const channel = { ...content, key_hash, request_hash };
    return (await publishChannel(trx, announce, author, channel, nowMs))._id;
  }
  const number = await nextNumber(trx, content.channelId, nowMs);
  const comment = { ...content, announcement: null, key_hash, request_hash, number };
  return (await publishComment(trx, announce, author, comment, nowMs)).id;
}
