import { commentTables, type Database } from '../database/tables.ts';
import { type CommentPlace, findAnywhere } from './stored-comments.ts';

/**
 * Changes what replies quote from a comment. Call `lockChannel` before.
 * @param change returns null to erase the quotation
 * @returns numbers of the visible replies whose quotation changed
 */
export async function changeExcerpts(
  trx: Database,
  { channelId, number }: CommentPlace,
  change: (excerpt: string) => string | null,
): Promise<number[]> {
  const visible: number[] = [];
  for (const table of commentTables) {
    const replies = await trx
      .selectFrom(table as 'comments')
      .select(['number', 'reply_excerpt'])
      .where('channel_id', '=', channelId)
      .where('reply_to', '=', number)
      .where('reply_excerpt', 'is not', null)
      .execute();
    for (const reply of replies) {
      const excerpt = change(reply.reply_excerpt ?? '');
      if (excerpt === reply.reply_excerpt) continue;
      await trx
        .updateTable(table as 'comments')
        .set({ reply_excerpt: excerpt })
        .where('channel_id', '=', channelId)
        .where('number', '=', reply.number)
        .execute();
      if (table === 'comments') visible.push(reply.number);
    }
  }
  return visible;
}

/**
 * Erases what replies quote from earlier texts of a comment, which is not shown. Call `lockChannel`
 * before.
 */
export async function eraseOldExcerpts(trx: Database, place: CommentPlace): Promise<void> {
  const text = (await findAnywhere(trx, place))?.row.text ?? '';
  await changeExcerpts(trx, place, (excerpt) => (text.includes(excerpt) ? excerpt : null));
}
