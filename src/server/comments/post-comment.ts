import type { User } from '../../shared/accounts.ts';
import { commentNumber } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { requireWriter } from '../accounts/open-account.ts';
import type { Config } from '../config/config.ts';
import { type IdempotentRequest, withIdempotencyKey } from '../database/idempotency.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { isVisibleRow } from '../database/visible-rows.ts';
import { ApiError } from '../http/api-error.ts';
import { indexNewComment } from '../search/index/index-comment.ts';
import type { CommentContent } from './comment-content.ts';
import { completeComments } from './comment-details.ts';
import { findComment } from './comment-queries.ts';
import { type CommentRow, toComment } from './comment-rows.ts';
import { recordChanges } from './numbered-changes.ts';
import { addReply, type ReplyFields } from './reply.ts';
import { saveContent } from './save-content.ts';

export interface CommentServices {
  db: Database;
  transact: Transact;
  now: () => number;
  config: Pick<Config, 'rateLimits'>;
}

export interface NewCommentContent extends CommentContent {
  channelId: string;
  reply: ReplyFields | undefined;
}

/**
 * Writes a comment, the counts of its channel and of the comment it replies to, and announces both, in one
 * transaction. A request repeated with its key writes nothing more.
 * @throws IdempotencyKeyReused, IdempotentResultDeleted; ApiError `channel_not_found`,
 * `channel_closed`, `invalid_fields`, `not_signed_in`, `silenced`, `suspended`, `too_many_requests`
 */
export async function postComment(
  services: CommentServices,
  author: User,
  content: NewCommentContent,
  request: IdempotentRequest | undefined,
): Promise<Comment> {
  const { channelId, text, images, reply } = content;
  return withIdempotencyKey(
    services,
    `channel ${channelId}`,
    request,
    async (trx, announce) => {
      const nowMs = services.now();
      const { role } = await requireWriter(trx, author.id, nowMs);
      const number = await nextNumber(trx, channelId, nowMs);
      const added = reply && (await addReply(trx, { channelId, number }, reply));
      const row = {
        channel_id: channelId,
        number,
        account_id: author.id,
        text,
        created_at_ms: nowMs,
        revision: 1,
        edited_at_ms: null,
        reply_to: reply?.replyTo ?? null,
        reply_excerpt: added?.excerpt ?? null,
        reply_count: 0,
        image_count: images.length,
        thanks_count: 0,
      };
      await trx.insertInto('comments').values(row).execute();
      await indexNewComment(trx, { channelId, number }, { text, authorId: author.id });
      const key = { channelId, number, authorId: author.id };
      const stored = { ...content, excerpt: added?.excerpt };
      await saveContent(trx, services.config, key, stored, nowMs);
      const value = await toCompleteComment(trx, {
        ...row,
        autor: author.name,
        autor_img: author.img,
        autor_role: role,
      });
      await announce({ kind: 'comment', channelId, number, comment: value });
      if (reply && added?.isVisible) {
        await recordChanges(trx, announce, channelId, [reply.replyTo], nowMs);
      }
      return { id: value.id, value };
    },
    (id) => findComment(services.db, { channelId, number: commentNumber(channelId, id) ?? 0 }),
  );
}

async function toCompleteComment(trx: Database, row: CommentRow): Promise<Comment> {
  const [comment] = await completeComments(trx, [row]);
  return comment ?? toComment(row, new Map());
}

/** Locks the channel's row, so that numbers follow the order of commits. */
async function nextNumber(trx: Database, channelId: string, nowMs: number): Promise<number> {
  const channel = await trx
    .updateTable('channels')
    .set((eb) => ({
      comment_count: eb('comment_count', '+', 1),
      last_comment_number: eb('last_comment_number', '+', 1),
      active_at_ms: nowMs,
    }))
    .where('id', '=', channelId)
    .where(isVisibleRow)
    .returning(['last_comment_number', 'closed_at_ms'])
    .executeTakeFirst();
  if (!channel) throw new ApiError('channel_not_found');
  // The error rolls the update back.
  if (channel.closed_at_ms !== null) throw new ApiError('channel_closed');
  return channel.last_comment_number;
}
