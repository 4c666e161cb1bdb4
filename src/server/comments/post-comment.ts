import type { User } from '../../shared/accounts.ts';
import { commentId } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';

/**
 * Writes a comment: its number, the channel's count, the row and its announcement in one
 * transaction, then the live event. Raising the count locks the channel's row, so numbers follow the
 * order of commits.
 * @throws Refusal `channel_not_found`
 */
export async function postComment(
  { transact, live, now }: Pick<Deps, 'transact' | 'live' | 'now'>,
  author: User,
  channelId: string,
  text: string,
): Promise<Comment> {
  const createdAtMs = now();
  const number = await transact(async (trx) => {
    const channel = await trx
      .updateTable('channels')
      .set((eb) => ({
        comment_count: eb('comment_count', '+', 1),
        last_comment_number: eb('last_comment_number', '+', 1),
      }))
      .where('id', '=', channelId)
      .returning('last_comment_number')
      .executeTakeFirst();
    if (!channel) throw new Refusal('channel_not_found');
    const number = channel.last_comment_number;
    await trx
      .insertInto('comments')
      .values({
        channel_id: channelId,
        number,
        account_id: author.id,
        text,
        created_at_ms: createdAtMs,
      })
      .execute();
    await live.announce(trx, { kind: 'comment', channelId, number });
    return number;
  });
  const comment: Comment = {
    id: commentId(channelId, number),
    channelId,
    autor: author.name,
    autorId: author.id,
    autorImg: author.img ?? '',
    comment: text,
    createdAt: new Date(createdAtMs).toISOString(),
  };
  live.publish({ kind: 'comment', channelId, number, comment });
  return comment;
}
