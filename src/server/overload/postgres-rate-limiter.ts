import { CompiledQuery } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from '../database/tables.ts';
import { dayMs } from '../times.ts';

/** Memory counts instead after this time, so that limits add little to the load of a slow database. */
const timeoutMs = 500;

export interface LimiterOptions {
  keyPrefix: string;
  points: number;
  /** Seconds. */
  duration: number;
}

/**
 * Counts in PostgreSQL, for all processes; in memory while the database does not respond in time.
 * @param blocksInMemory rejects a key with an exhausted budget without a query
 */
export function createSharedLimiter(
  db: Database,
  options: LimiterOptions,
  { blocksInMemory = true } = {},
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    ...options,
    storeType: 'pool',
    storeClient: {
      query: ({ text, values }: { text: string; values: unknown[] }) =>
        withTimeout(db.executeQuery(CompiledQuery.raw(text, values))),
    },
    tableName: 'rate_limits',
    tableCreated: true,
    // Housekeeping deletes expired counts for all limiters and processes.
    clearExpiredByTimeout: false,
    inMemoryBlockOnConsumed: blocksInMemory ? options.points : 0,
    insuranceLimiter: new RateLimiterMemory(options),
  });
}

/** Deletes expired counts, and those from when the clock was ahead: no budget is longer than a day. */
export async function deleteExpiredLimits(db: Database, nowMs: number): Promise<void> {
  await db
    .deleteFrom('rate_limits')
    .where((eb) => eb.or([eb('expire', '<=', nowMs), eb('expire', '>', nowMs + dayMs)]))
    .execute();
}

async function withTimeout<T>(result: Promise<T>): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('too slow')), timeoutMs);
  try {
    return await Promise.race([result, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
