import type { Database } from '../../database/tables.ts';
import { OperatorError } from '../../system/operator-error.ts';

/** Tolerated difference between the clocks of two machines. */
const toleranceMs = 60_000;

/**
 * Requires that this machine's clock is not behind the times that the site has recorded. A running process trusts its
 * clock for the ends of sessions and limits at once, and for what it erases after an hour of doubt (clock-watch.ts).
 * @throws OperatorError when the newest comment, session or decision is more than a minute in the future
 */
export async function requireClock(db: Database, nowMs: number): Promise<void> {
  const newestMs = await findNewest(db);
  const aheadMs = newestMs - nowMs;
  if (aheadMs <= toleranceMs) return;
  const [newest, now] = [newestMs, nowMs].map((ms) => new Date(ms).toISOString());
  throw new OperatorError(
    `The clock of this machine says ${now}, and the database has a time of ${newest}. If the clock is behind, set it: the start is tried again. If the clock was ahead before and is right now, run once: tertulia admin correct-times`,
  );
}

/** The newest of a few times that any use of the site updates; 0 when there is none. Each query uses an index. */
export async function findNewest(db: Database): Promise<number> {
  const newest = await Promise.all([
    db
      .selectFrom('channels')
      .select('active_at_ms as ms')
      .where('deleted_at_ms', 'is', null)
      .where('hidden_by', 'is', null)
      // Without this condition SQLite would not use the index.
      .where('active_at_ms', '>', 0)
      .orderBy('active_at_ms', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('sessions')
      .select('last_used_at_ms as ms')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('decisions')
      .select('at_ms as ms')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  return Math.max(...newest.map((row) => row?.ms ?? 0));
}
