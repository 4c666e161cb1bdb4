import type { Insertable } from 'kysely';
import type { Tables } from '../../src/server/database/tables.ts';
import { toStoredText } from '../../src/server/texts/stored-text.ts';
import type { Forum } from './forum.ts';

type CommentRow = Partial<Insertable<Tables['comments']>>;

/**
 * Stores comments by one account in a channel without requests, one after another, for tests that need many. Deleted
 * ones are not counted.
 * @param more returns other values of each comment, by its number
 */
export async function insertComments(
  { services: { db, now } }: Forum,
  channelId: string,
  accountId: string,
  count: number,
  more: (number: number) => CommentRow = () => ({}),
): Promise<void> {
  const channel = db
    .selectFrom('channels')
    .select('last_comment_number')
    .where('id', '=', channelId);
  const { last_comment_number: before } = await channel.executeTakeFirstOrThrow();
  const rows = Array.from({ length: count }, (_, index) => ({
    channel_id: channelId,
    number: before + index + 1,
    account_id: accountId,
    text: toStoredText('Hola'),
    created_at_ms: now(),
    ...more(before + index + 1),
  }));
  for (let start = 0; start < count; start += 500)
    await db
      .insertInto('comments')
      .values(rows.slice(start, start + 500))
      .execute();
  const shown = rows.filter(({ deleted_at_ms }) => deleted_at_ms == null).length;
  await db
    .updateTable('channels')
    .set((eb) => ({
      comment_count: eb('comment_count', '+', shown),
      last_comment_number: before + count,
    }))
    .where('id', '=', channelId)
    .execute();
}
