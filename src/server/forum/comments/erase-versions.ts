import { type SqlBool, sql } from 'kysely';
import type { CommentKey } from '../../../shared/comment-id.ts';
import { hasExcerpt } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { deleteVersions } from './keep-version.ts';
import { findStored, lockChannel } from './stored-comments.ts';

/** Versions read by one query. */
const batchSize = 500;
/** Replies read by one transaction, so that other writes can run in between. */
const replyBatch = 200;

/**
 * Erases comment versions that were replaced before this time, and the excerpts in replies that only those versions
 * contain. Each comment has its own transactions, as in `eraseDeletedComments`.
 */
export async function eraseOldVersions(
  { db, withTransaction }: { db: Database; withTransaction: WithTransaction },
  beforeMs: number,
): Promise<void> {
  for (;;) {
    const versions = await db
      .selectFrom('comment_versions')
      .select(['channel_id', 'number'])
      .where('replaced_at_ms', '<=', beforeMs)
      .limit(batchSize)
      .execute();
    if (versions.length === 0) return;
    const keys = new Map(versions.map((one) => [`${one.channel_id} ${one.number}`, one]));
    await forEachDespiteErrors(keys.values(), async ({ channel_id: channelId, number }) => {
      const eraseAfter = (after: number) =>
        withTransaction(`channel ${channelId}`, async (trx) => {
          await lockChannel(trx, channelId);
          const next = await eraseOldExcerpts(trx, { channelId, number }, after);
          if (next !== undefined) return next;
          const isExpired = sql<SqlBool>`replaced_at_ms <= ${beforeMs}`;
          await markForSweep(trx, await deleteVersions(trx, { channelId, number }, isExpired));
          return undefined;
        });
      let after: number | undefined = 0;
      while (after !== undefined) after = await eraseAfter(after);
    });
  }
}

/**
 * Erases, in one batch of replies, excerpts that the comment no longer contains.
 * @param after number of the last reply of the previous batch
 * @returns `after` for the next batch; undefined after the last one
 */
async function eraseOldExcerpts(
  trx: Database,
  key: CommentKey,
  after: number,
): Promise<number | undefined> {
  const text = (await findStored(trx, key))?.text;
  const replies = await trx
    .selectFrom('comments')
    .select(['number', 'reply_excerpt'])
    .where('channel_id', '=', key.channelId)
    .where('reply_to', '=', key.number)
    .where('reply_excerpt', 'is not', null)
    .where('number', '>', after)
    .orderBy('number')
    .limit(replyBatch)
    .execute();
  const old = replies.filter(
    ({ reply_excerpt: excerpt }) => excerpt !== null && !(text && hasExcerpt(text, excerpt)),
  );
  if (old.length > 0) {
    await trx
      .updateTable('comments')
      .set({ reply_excerpt: null })
      .where('channel_id', '=', key.channelId)
      .where(
        'number',
        'in',
        old.map(({ number }) => number),
      )
      .execute();
  }
  return replies.length === replyBatch ? replies.at(-1)?.number : undefined;
}
