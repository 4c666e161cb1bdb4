import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { dayMs } from '../system/times.ts';
import { indexOf } from './index-of.ts';

/**
 * Merges the index if a comment or channel was erased since the last time, or once a day: words that were edited away may
 * stay so long. A merge writes the whole index anew, so it does not follow each comment.
 */
export async function mergeWhenDue({
  db,
  withTransaction,
  now,
}: {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}): Promise<void> {
  const startMs = now();
  const { numUpdatedRows } = await db
    .updateTable('search_state')
    // Still due for the next call, if this one fails.
    .set({ merge_at_ms: startMs })
    .where('id', '=', 1)
    .where('merge_at_ms', '<=', startMs)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await indexOf(db).mergeWords(withTransaction);
  await db
    .updateTable('search_state')
    .set({ merge_at_ms: startMs + dayMs })
    .where('id', '=', 1)
    // Another erasure during the merge has requested the next one.
    .where('merge_at_ms', '=', startMs)
    .execute();
}
