import { CompiledQuery } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from '../database/tables.ts';

/** A count that takes longer is done in memory instead: limits must not add to a slow day. */
const patienceMs = 500;

/** No budget lasts longer. */
const farOffMs = 24 * 3_600_000;

export interface Budget {
  keyPrefix: string;
  points: number;
  /** Seconds. */
  duration: number;
}

/** Counts together with all processes on the PostgreSQL; alone while it does not answer in time. */
export function createSharedLimiter(db: Database, budget: Budget): RateLimiterPostgres {
  return new RateLimiterPostgres({
    ...budget,
    storeType: 'pool',
    storeClient: {
      query: ({ text, values }: { text: string; values: unknown[] }) =>
        inTime(db.executeQuery(CompiledQuery.raw(text, values))),
    },
    tableName: 'rate_limits',
    tableCreated: true,
    // Housekeeping does it, once for all limiters and processes.
    clearExpiredByTimeout: false,
    // Who has used everything up is refused without asking again.
    inMemoryBlockOnConsumed: budget.points,
    insuranceLimiter: new RateLimiterMemory(budget),
  });
}

/** Forgets counts whose time is over, or so far off that the clock was wrong when they began. */
export async function deleteExpiredLimits(db: Database, nowMs: number): Promise<void> {
  await db
    .deleteFrom('rate_limits')
    .where((eb) => eb.or([eb('expire', '<=', nowMs), eb('expire', '>', nowMs + farOffMs)]))
    .execute();
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('too slow')), patienceMs);
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
