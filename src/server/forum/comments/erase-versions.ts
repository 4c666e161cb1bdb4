import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { deleteVersions } from './keep-version.ts';
import { lockChannel } from './stored-comments.ts';

/** Versions read by one query. */
const batchSize = 500;

/**
 * Erases comment versions that were replaced before this time. Each comment has its own transaction, as in
 * `eraseDeletedComments`.
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
    await forEachDespiteErrors(keys.values(), ({ channel_id: channelId, number }) =>
      withTransaction(`channel ${channelId}`, async (trx) => {
        await lockChannel(trx, channelId);
        const isExpired = sql<SqlBool>`replaced_at_ms <= ${beforeMs}`;
        await markForSweep(trx, await deleteVersions(trx, { channelId, number }, isExpired));
      }),
    );
  }
}
