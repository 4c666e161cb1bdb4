import { recordChanges } from '../../src/server/comments/comment-changes.ts';
import { toStoredText } from '../../src/server/database/stored-text.ts';
import type { Comment } from '../../src/shared/comments.ts';
import type { Forum } from './forum.ts';

/** Gives a comment another text, without the rules of the API. */
export async function editComment(
  { deps: { db, live } }: Pick<Forum, 'deps'>,
  { channelId, number }: Pick<Comment, 'channelId' | 'number'>,
  text: string,
): Promise<void> {
  const change = await db.transaction().execute(async (trx) => {
    const change = await recordChanges(trx, live, channelId, [number], Date.now());
    await trx
      .updateTable('comments')
      .set((eb) => ({ text: toStoredText(text), revision: eb('revision', '+', 1) }))
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .execute();
    return change;
  });
  live.publish(change);
}
