import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { CompiledQuery, sql } from 'kysely';
import {
  type RateLimiterAbstract,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { limits } from '../../../shared/limits.ts';
import { engineOf } from '../../database/engine.ts';
import type { Database } from '../../database/tables.ts';
import type { Config } from '../../system/settings/config.ts';
import { dayMs } from '../../system/times.ts';
import { ApiError } from '../api-error.ts';
import { BoundedLimiter } from './bounded-limiter.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts one use of a budget in addition to the route's own.
     * @throws ApiError `too_many_requests` with Retry-After
     */
    count: (budget: Budget) => Promise<void>;
    /** Counts one use of a budget. @returns whether it was not used up */
    isWithin: (budget: Budget) => Promise<boolean>;
  }
}

export interface BudgetRule {
  points: number;
  /** Seconds. */
  duration: number;
  /** Whether all processes on one PostgreSQL share the count; set for actions that harm people when repeated. */
  isShared?: true;
  /** Whether requests with a session are also counted by address, instead of by account. */
  isByAddress?: true;
}

/** Sufficient for a whole school behind one address. */
const budgets = {
  /** Public reads that are not served from the cache. */
  read: { points: 2400, duration: 60 },
  /** Searches, including those sent while typing. */
  search: { points: 300, duration: 60 },
  /** Tile patterns as images. */
  draw: { points: 120, duration: 60 },
  /** Subscriptions of calendar programs, of which each has all dates. */
  calendar: { points: 30, duration: 60 },
  /** Reads of private data, writes of reading positions, and parts of uploads. */
  personal: { points: 1200, duration: 60 },
  comment: { points: 60, duration: 60 },
  /** Changes to a person's own content and profile, and thanks. */
  change: { points: 120, duration: 60 },
  createChannel: { points: 30, duration: 3600 },
  upload: { points: 120, duration: 3600 },
  /** Decisions by moderators. Clearing a raid takes many within a minute. */
  moderate: { points: 300, duration: 60 },
  invite: { points: limits.invitationsPerDay, duration: 86_400 },
  /** Routes that ask a signed-in person for the password (480 guesses a day), and exports. */
  account: { points: 20, duration: 3600 },
  export: { points: limits.exportsPerDay, duration: 86_400 },
  /**
   * Opening a session without a password, which each new tab of a remembered browser does, and ending sessions. Counted
   * by address, so that a thief cannot use up the budget with which the owner ends the thief's sessions.
   */
  sessions: { points: 600, duration: 60, isByAddress: true },
  signIn: { points: 120, duration: 60, isShared: true },
  signUp: { points: 200, duration: 3600, isShared: true },
  /** Not counted by e-mail address, so that strangers cannot use up an owner's attempts. Codes have 80 bits. */
  recover: { points: 60, duration: 60, isShared: true },
  /** Mails to unconfirmed addresses, at least as many as sign-ups. Further ones are not refused, but sent last. */
  confirmation: { points: 200, duration: 86_400, isShared: true, isByAddress: true },
  report: { points: 20, duration: 3600, isShared: true },
} satisfies Record<string, BudgetRule>;

export type Budget = keyof typeof budgets;

export interface LimiterServices {
  config: Pick<Config, 'rateLimits'>;
  db: Database;
}

/**
 * Counts requests by account, or by address without a session.
 * @returns the hook of the routes of a budget; it throws ApiError `too_many_requests` with Retry-After
 */
export function countRequests(
  app: FastifyInstance,
  services: LimiterServices,
): (budget: Budget) => preHandlerAsyncHookHandler {
  const secondsLeft = createCounter(services);
  const count = async (request: FastifyRequest, budget: Budget) => {
    const seconds = await secondsLeft(request, budget);
    if (seconds === 0) return;
    throw new ApiError('too_many_requests', {
      detail: `Vas demasiado deprisa. Vuelve a intentarlo ${waitText(seconds)}.`,
      headers: { 'retry-after': String(seconds) },
    });
  };
  app.decorateRequest('count', function (budget) {
    return count(this, budget);
  });
  app.decorateRequest('isWithin', async function (budget) {
    return (await secondsLeft(this, budget)) === 0;
  });
  return (budget) => (request) => count(request, budget);
}

/** @returns a function that counts one use, and returns the seconds to wait when the budget is used up, otherwise 0 */
function createCounter(
  services: LimiterServices,
): (request: FastifyRequest, budget: Budget) => Promise<number> {
  if (!services.config.rateLimits) return async () => 0;
  const limiters = new Map(
    Object.entries<BudgetRule>(budgets).map(([name, rule]) => {
      return [name, { ...rule, limiter: createLimiter(services, name, rule) }];
    }),
  );
  return async ({ session, addressKey }, budget) => {
    const rule = limiters.get(budget);
    if (!rule) throw new Error(`no such budget: ${budget}`);
    const { limiter, isByAddress } = rule;
    return consume(limiter, isByAddress || !session ? addressKey : session.user.id);
  };
}

/** Timeout for counting in PostgreSQL; after it, this process counts in memory. */
const timeoutMs = 500;

export function createLimiter(
  { db }: LimiterServices,
  keyPrefix: string,
  { points, duration, isShared }: BudgetRule,
): RateLimiterAbstract {
  const options = { keyPrefix, points, duration };
  if (!isShared || engineOf(db).isFile) return new BoundedLimiter(options);
  const query = ({ text, values }: { text: string; values: unknown[] }) =>
    Promise.race([
      db.executeQuery(CompiledQuery.raw(text, values)),
      sleep(timeoutMs, undefined, { ref: false }).then(() => {
        throw new Error('too slow');
      }),
    ]);
  return new RateLimiterPostgres({
    ...options,
    storeType: 'pool',
    storeClient: { query },
    tableName: 'rate_limits',
    tableCreated: true,
    // Housekeeping deletes expired counts for all limiters and processes.
    clearExpiredByTimeout: false,
    insuranceLimiter: new BoundedLimiter(options),
  });
}

/** Counts one use. @returns the seconds to wait when the budget is used up, otherwise 0 */
export async function consume(limiter: RateLimiterAbstract, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
  }
}

/**
 * Counts uses of a key in the 24 hours from the first one, as part of a transaction: a rollback also undoes the count,
 * and a restart does not reset it.
 * @returns the seconds to wait when all points are used up, otherwise 0
 */
export async function consumeInTransaction(
  trx: Database,
  key: string,
  points: number,
  nowMs: number,
  uses = 1,
): Promise<number> {
  const endMs = nowMs + dayMs;
  const hasEnded = sql`rate_limits.expire <= ${nowMs}`;
  const count = await trx
    .insertInto('rate_limits')
    .values({ key, points: uses, expire: endMs })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        points: sql<number>`case when ${hasEnded} then ${uses} else rate_limits.points + ${uses} end`,
        expire: sql<number>`case when ${hasEnded} then ${endMs} else rate_limits.expire end`,
      }),
    )
    .returning(['points', 'expire'])
    .executeTakeFirstOrThrow();
  return count.points <= points ? 0 : Math.ceil((Number(count.expire) - nowMs) / 1000);
}

/** Says in Spanish when to try again. */
export function waitText(seconds: number): string {
  if (seconds === 1) return 'dentro de un segundo';
  if (seconds <= 90) return `dentro de ${seconds} segundos`;
  if (seconds <= 90 * 60) return `dentro de ${Math.ceil(seconds / 60)} minutos`;
  return `dentro de ${Math.ceil(seconds / 3600)} horas`;
}

export async function deleteExpiredLimits(db: Database, nowMs: number): Promise<void> {
  await db.deleteFrom('rate_limits').where('expire', '<=', nowMs).execute();
}
