import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { addressKey } from '../limits/address-key.ts';
import { manyTurns, passTurns } from './pass-turns.ts';
import { createSharedLimiter } from './postgres-rate-limiter.ts';
import { withResponseSlot } from './response-slots.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The budget that valid requests of the route count towards. Every route declares one. */
    budget?: Budget | ((request: FastifyRequest) => Budget);
    /** Whether an answer takes tens of milliseconds, so that these are made one at a time. */
    isCostly?: boolean;
  }
  interface FastifyRequest {
    /**
     * Counts one use of a budget in addition to that of the route.
     * @throws ApiError `too_many_requests` with Retry-After
     */
    count: (budget: Budget) => Promise<void>;
  }
}

interface BudgetRule {
  points: number;
  /** Seconds. */
  duration: number;
  /**
   * Whether it is counted by browser instead of by account, for actions that an owner needs to defend an
   * account: a thief with a token cannot use up the owner's budget, since opening a session for another
   * browser takes the password.
   */
  isByBrowser?: boolean;
  /** Whether each process counts for itself, for uses too frequent to write each to the database. */
  isInMemory?: boolean;
}

/** Sufficient for a school behind one address. */
const budgets = {
  /** Public reads that are not answered from the cache. */
  read: { points: 2400, duration: 60, isInMemory: true },
  /** Public reads with parameters that the forum's own pages do not use, which are never cached. */
  costlyRead: { points: 600, duration: 60, isInMemory: true },
  /** Reads of personal data. A tab sends one a minute, and a few for each page. */
  personal: { points: 600, duration: 60, isByBrowser: true, isInMemory: true },
  /** Writes without a budget of their own: a part of an upload, signing out. */
  write: { points: 1200, duration: 60, isByBrowser: true, isInMemory: true },
  signIn: { points: 120, duration: 60 },
  /** Sessions resumed by remembered browsers: one for each new or restored tab. */
  resume: { points: 600, duration: 60 },
  signUp: { points: 200, duration: 3600 },
  /** Checks of the password before a change of the account: with a stolen token, 480 guesses a day. */
  confirmPassword: { points: 20, duration: 3600, isByBrowser: true },
  /** Ending sessions and removing passkeys. */
  endAccess: { points: 60, duration: 60, isByBrowser: true },
  cancelDeletion: { points: 60, duration: 60, isByBrowser: true },
  /** Not by e-mail address, so that strangers cannot use up an owner's tries. Codes have 80 bits. */
  recover: { points: 60, duration: 60 },
  passkeyOptions: { points: 60, duration: 300 },
  /** Counted by account, since an account can open hundreds of sessions. */
  exportAccount: { points: 3, duration: 86_400 },
  /** Includes exports that end before they send anything, each of which may copy an account's rows. */
  prepareExport: { points: 30, duration: 86_400 },
  createChannel: { points: 30, duration: 3600 },
  invite: { points: 10, duration: 86_400 },
  changeImage: { points: 60, duration: 3600 },
  comment: { points: 60, duration: 60 },
  readingPosition: { points: 240, duration: 60 },
  search: { points: 60, duration: 60 },
  searchWhileTyping: { points: 240, duration: 60 },
  /** Edits, deletions and restorations of one's own comments and channels. */
  changeContent: { points: 60, duration: 60 },
  report: { points: 20, duration: 3600 },
  thank: { points: 120, duration: 60 },
  upload: { points: 120, duration: 3600 },
  /** Decisions of moderators: a raid takes many in a minute. */
  moderate: { points: 300, duration: 60 },
} satisfies Record<string, BudgetRule>;
/** Budget of all accounts of one address together, as a multiple of one account's budget. */
const accountsPerAddress = 10;

/** `uncounted` is for routes that cost little more than a refusal, or that have another limit. */
export type Budget = keyof typeof budgets | 'uncounted';

/**
 * Counts the requests of every route that is registered afterwards in the budget that the route declares, and
 * refuses a route without one. Requests for personal data are also answered in turns by address, as
 * `cachedRoute` does for public data.
 */
export function applyBudgets(
  app: FastifyInstance,
  services: { config: Pick<Config, 'rateLimits' | 'databaseUrl'>; db: Database },
): void {
  const countUse = createCounter(services);
  app.decorateRequest('count', function (budget) {
    return countUse(this, budget);
  });
  app.addHook('onRoute', (route) => {
    const { config, method, url, handler } = route;
    const declared = config?.budget;
    if (!declared) throw new Error(`the route ${method} ${url} declares no budget`);
    if (declared === 'uncounted') return;
    const count: preHandlerAsyncHookHandler = (request) =>
      countUse(request, typeof declared === 'function' ? declared(request) : declared);
    route.preHandler = count;
    if (declared === 'personal') {
      route.handler = function (request, reply) {
        const isCostly = config?.isCostly ?? false;
        const answer = async () => {
          const value: unknown = await handler.call(this, request, reply);
          // SQLite answers in the same turn. Other requests run before the response is serialized.
          await passTurns(isCostly ? manyTurns : undefined);
          if (typeof value !== 'object' || value === null) return value;
          return reply.type('application/json; charset=utf-8').serialize(value);
        };
        return withResponseSlot(request, answer, { isCostly });
      };
    }
  });
}

/**
 * Limits the requests of each account, each browser of an account, or each address without a session. Counts
 * in PostgreSQL for all processes, with SQLite in memory. The limit for all accounts of one address counts
 * within each process, and only requests that are within their own limit.
 */
function createCounter({
  config,
  db,
}: {
  config: Pick<Config, 'rateLimits' | 'databaseUrl'>;
  db: Database;
}): (request: FastifyRequest, budget: Budget) => Promise<void> {
  if (!config.rateLimits) return async () => {};
  const createLimiters = ([name, rule]: [string, BudgetRule]) => {
    const { points, duration, isByBrowser, isInMemory } = rule;
    const options = { keyPrefix: name, points, duration };
    const isShared = config.databaseUrl && !isInMemory;
    const limiter = isShared ? createSharedLimiter(db, options) : new RateLimiterMemory(options);
    const ofAddress = { ...options, points: points * accountsPerAddress };
    const addressLimiter = new RateLimiterMemory(ofAddress);
    // Budgets in memory limit the work that an address causes, so no part is reserved for a browser.
    const reservedPoints = isByBrowser && !isInMemory ? points / 2 : 0;
    return [name, { duration, isByBrowser, reservedPoints, limiter, addressLimiter }] as const;
  };
  const limiters = new Map(Object.entries(budgets).map(createLimiters));
  return async (request, budget) => {
    const limit = limiters.get(budget);
    if (!limit) return;
    const { duration, isByBrowser, reservedPoints, limiter, addressLimiter } = limit;
    const { session } = request;
    const address = addressKey(request.ip);
    const accountOrAddress = session?.user.id ?? address;
    const key = session && isByBrowser ? browserKey(session) : accountOrAddress;
    try {
      const { consumedPoints } = await limiter.consume(key);
      if (!session) return;
      // Other browsers at the address cannot use up the first half of a browser's budget.
      if (consumedPoints <= reservedPoints) await addressLimiter.penalty(address);
      else await addressLimiter.consume(address);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      if (beganAhead(error, duration)) {
        await Promise.all([limiter.delete(key), addressLimiter.delete(address)]);
        return;
      }
      throw tooFast(Math.max(1, Math.ceil(error.msBeforeNext / 1000)), isByBrowser);
    }
  };
}

/** Returns the remembered browser of a session, whose tabs count together, or else the session. */
function browserKey({ id, deviceId }: { id: string; deviceId: string | null }): string {
  return deviceId ?? id;
}

function tooFast(seconds: number, isByBrowser = false): ApiError {
  // A new session has a budget of its own, even if a stolen copy of this one has used up the present one.
  const otherWay = isByBrowser ? ' o cierra sesión y vuelve a iniciarla' : '';
  return new ApiError('too_many_requests', {
    detail: `Vas demasiado deprisa. Vuelve a intentarlo ${waitText(seconds)}${otherWay}.`,
    headers: { 'retry-after': String(seconds) },
  });
}

/**
 * Whether a count began while the clock was ahead. It would refuse requests until the clock reaches its end.
 * @param seconds the longest duration of a count
 */
export function beganAhead({ msBeforeNext }: RateLimiterRes, seconds: number): boolean {
  return msBeforeNext > 2 * seconds * 1000;
}

/** Says in Spanish when to try again. */
export function waitText(seconds: number): string {
  if (seconds === 1) return 'dentro de un segundo';
  if (seconds <= 90) return `dentro de ${seconds} segundos`;
  if (seconds <= 90 * 60) return `dentro de ${Math.ceil(seconds / 60)} minutos`;
  return `dentro de ${Math.ceil(seconds / 3600)} horas`;
}
