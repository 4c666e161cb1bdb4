import type { Database } from '../database/tables.ts';
import { isVisible } from '../database/visible-rows.ts';
import { type CommentPlace, findStored } from './stored-comments.ts';

/** Replies that one transaction reads, so that other writes can run in between. */
const batchSize = 200;

/**
 * Changes what one batch of replies quotes from a comment. Call `lockChannel` before, and repeat it in
 * further transactions until `next` is undefined: new replies have higher numbers.
 * @param after the number after which it goes on: 0, then `next`
 * @param change returns null to erase the quotation
 * @returns numbers of the visible replies whose quotation changed; `next` undefined after the last batch
 */
export async function changeExcerpts(
  trx: Database,
  { channelId, number }: CommentPlace,
  after: number,
  change: (excerpt: string) => string | null,
): Promise<{ visible: number[]; next: number | undefined }> {
  const replies = await trx
    .selectFrom('comments')
    .select(['number', 'reply_excerpt', 'deleted_at_ms', 'hidden_at_ms'])
    .where('channel_id', '=', channelId)
    .where('reply_to', '=', number)
    .where('reply_excerpt', 'is not', null)
    .where('number', '>', after)
    .orderBy('number')
    .limit(batchSize)
    .execute();
  const next = replies.length === batchSize ? replies.at(-1)?.number : undefined;
  const visible: number[] = [];
  for (const reply of replies) {
    const excerpt = change(reply.reply_excerpt ?? '');
    if (excerpt === reply.reply_excerpt) continue;
    await trx
      .updateTable('comments')
      .set({ reply_excerpt: excerpt })
      .where('channel_id', '=', channelId)
      .where('number', '=', reply.number)
      .execute();
    if (isVisible(reply)) visible.push(reply.number);
  }
  return { visible, next };
}

/**
 * Erases what one batch of replies quotes from earlier texts of a comment, which is not shown. Call it
 * as `changeExcerpts`. @returns its `next`
 */
export async function eraseOldExcerpts(
  trx: Database,
  place: CommentPlace,
  after: number,
): Promise<number | undefined> {
  const text = (await findStored(trx, place))?.text ?? '';
  const keep = (excerpt: string) => (text.includes(excerpt) ? excerpt : null);
  return (await changeExcerpts(trx, place, after, keep)).next;
}
