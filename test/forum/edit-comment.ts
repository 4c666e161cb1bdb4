import { toStoredText } from '../../src/server/texts/stored-text.ts';
import type { Comment } from '../../src/shared/comments.ts';
import type { Forum } from './forum.ts';

/** Changes the text of a comment without the rules of the API. */
export async function editComment(
  { services: { withTransaction } }: Pick<Forum, 'services'>,
  { channelId, number }: Pick<Comment, 'channelId' | 'number'>,
  text: string,
): Promise<void> {
  await withTransaction(`channel ${channelId}`, async (trx, announce) => {
    await announce({ kind: 'channel', channelId, numbers: [number] });
    await trx
      .updateTable('comments')
      .set((eb) => ({ text: toStoredText(text), revision: eb('revision', '+', 1) }))
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .execute();
  });
}
