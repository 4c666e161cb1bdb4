import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { forEachAlone } from '../failed-work.ts';
import { eraseOldExcerpts } from './excerpts.ts';
import { lockChannel } from './stored-comments.ts';

/** Versions that are looked up at once. */
const batchSize = 500;

/**
 * Erases the versions of comments that were replaced before this time, and what replies quote from them
 * only: such a comment cannot be edited back. Each comment in transactions of its own, as in
 * `eraseDeletedComments`.
 */
export async function eraseOldVersions(
  { db, transact }: { db: Database; transact: Transact },
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
    const places = new Map(versions.map((one) => [`${one.channel_id} ${one.number}`, one]));
    await forEachAlone(places.values(), async ({ channel_id: channelId, number }) => {
      const eraseAfter = (after: number) =>
        transact(`channel ${channelId}`, async (trx) => {
          await lockChannel(trx, channelId);
          const next = await eraseOldExcerpts(trx, { channelId, number }, after);
          if (next !== undefined) return next;
          await trx
            .deleteFrom('comment_versions')
            .where('channel_id', '=', channelId)
            .where('number', '=', number)
            .where('replaced_at_ms', '<=', beforeMs)
            .execute();
          return undefined;
        });
      let after: number | undefined = 0;
      while (after !== undefined) after = await eraseAfter(after);
    });
  }
}
