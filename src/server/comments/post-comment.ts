import type { User } from '../../shared/accounts.ts';
import type { Comment } from '../../shared/comments.ts';
import { type IdempotentRequest, withIdempotencyKey } from '../database/idempotency.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { CommentChange, LiveBus } from '../live-bus/live-bus.ts';
import { findComment, toComment } from './comment-queries.ts';

export interface CommentServices {
  db: Database;
  transact: Transact;
  live: LiveBus;
  now: () => number;
}

/**
 * Writes a comment: its number, the channel's count, the row and its announcement in one
 * transaction, then the live event. A request that is repeated under its key writes nothing more.
 * @throws IdempotencyKeyReused; ApiError `channel_not_found`
 */
export async function postComment(
  services: CommentServices,
  author: User,
  { channelId, text }: { channelId: string; text: string },
  request: IdempotentRequest | undefined,
): Promise<Comment> {
  let change: CommentChange | undefined;
  const { value, isNew } = await withIdempotencyKey(
    services,
    `channel ${channelId}`,
    request,
    async (trx) => {
      const number = await nextNumber(trx, channelId);
      const row = { channel_id: channelId, number, text, created_at_ms: services.now() };
      await trx
        .insertInto('comments')
        .values({ ...row, account_id: author.id })
        .execute();
      change = { kind: 'comment', channelId, number };
      await services.live.announce(trx, change);
      const value = toComment({
        ...row,
        autor_id: author.id,
        autor: author.name,
        autor_img: author.img,
      });
      return { id: value.id, value };
    },
    (id) => findComment(services.db, id),
  );
  if (change && isNew) services.live.publish({ ...change, comment: value });
  return value;
}

/** Raising it locks the channel's row, so numbers follow the order of commits. */
async function nextNumber(trx: Database, channelId: string): Promise<number> {
  const channel = await trx
    .updateTable('channels')
    .set((eb) => ({
      comment_count: eb('comment_count', '+', 1),
      last_comment_number: eb('last_comment_number', '+', 1),
    }))
    .where('id', '=', channelId)
    .where('hidden_at_ms', 'is', null)
    .returning('last_comment_number')
    .executeTakeFirst();
  if (!channel) throw new ApiError('channel_not_found');
  return channel.last_comment_number;
}
