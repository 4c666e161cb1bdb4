import { sql } from 'kysely';
import { areDatesTold } from '../../forum/comments/erase-comments.ts';
import { lockChannel, setVisibility } from '../../forum/comments/stored-comments.ts';
import { isMarkedForErasure, markedForErasure } from '../../forum/visible-rows.ts';
import type { ErasureServices } from './erasure-services.ts';

/**
 * Hides the comments of an account with dates to come, so that those who come are told that they do not take place.
 * @returns whether the comments must wait for that
 */
export async function hideDatesOf(
  { db, withTransaction }: ErasureServices,
  accountId: string,
  nowMs: number,
): Promise<boolean> {
  const comments = await db
    .selectFrom('comments')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('carries', '=', 'event')
    .where(sql<boolean>`not ${areDatesTold(nowMs)}`)
    .execute();
  for (const comment of comments) {
    if (isMarkedForErasure(comment)) continue;
    await withTransaction(`channel ${comment.channel_id}`, async (trx, announce) => {
      await lockChannel(trx, comment.channel_id);
      await setVisibility(trx, announce, [comment], markedForErasure);
    });
  }
  return comments.length > 0;
}
