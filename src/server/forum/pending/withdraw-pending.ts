import type { PendingPost } from '../../../shared/pending.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { deletePendingPosts, findPendingPost, lockPendingPost } from './pending-rows.ts';

/**
 * Withdraws a post of the caller that is pending or was rejected.
 * @returns the post, to fill the form that it came from
 * @throws ApiError `pending_not_found`
 */
export function withdrawPendingPost(
  { withTransaction, now }: { withTransaction: WithTransaction; now: () => number },
  callerId: string,
  id: string,
): Promise<PendingPost> {
  return withTransaction(`account ${callerId}`, async (trx) => {
    const nowMs = now();
    const row = await lockPendingPost(trx, callerId, id);
    const pendingPost = row && (await findPendingPost(trx, callerId, nowMs, id));
    if (!pendingPost) throw new ApiError('pending_not_found');
    await keepForForm(trx, await deletePendingPosts(trx, [id]), nowMs);
    return pendingPost;
  });
}

/** Keeps the images as long as new uploads, so that the form can use them again. */
async function keepForForm(trx: Database, urls: string[], nowMs: number): Promise<void> {
  if (urls.length === 0) return;
  await trx
    .updateTable('images')
    .set({ used_at_ms: nowMs })
    .where('url', 'in', urls.sort())
    .execute();
}
