import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { addressKey } from './address-key.ts';
import { createSharedLimiter } from './postgres-rate-limiter.ts';
import { withResponseSlot } from './response-slots.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What valid requests of the route are counted as. Every route declares it. */
    budget?: Budget | ((request: FastifyRequest) => Budget);
  }
  interface FastifyRequest {
    /**
     * Counts one use of a budget besides that of the route.
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
   * Counted by browser instead of by account, for what an owner needs to defend an account: whoever stole a token cannot use
   * up the owner's budget, since only the password opens a session that is not of the stolen browser.
   */
  isByBrowser?: boolean;
  /** Counted by each process for itself: asked for too often to write every use to the database. */
  isInMemory?: boolean;
}

/** Enough for a school behind one address. */
const budgets = {
  /** What everybody may read, where it is not answered from the cache. */
  read: { points: 2400, duration: 60, isInMemory: true },
  /** The same with parameters that the forum's own pages do not use: nothing of it is cached. */
  costlyRead: { points: 600, duration: 60, isInMemory: true },
  /** What only the account may read. A tab asks once a minute, and a few times for each page. */
  personal: { points: 600, duration: 60, isByBrowser: true, isInMemory: true },
  /** Writes that no other budget is for: a part of an upload, signing out. */
  write: { points: 1200, duration: 60, isByBrowser: true, isInMemory: true },
  signIn: { points: 120, duration: 60 },
  /** By remembered browsers: each new tab, and each tab that a browser restores. */
  resume: { points: 600, duration: 60 },
  signUp: { points: 200, duration: 3600 },
  /**
   * Of the password of a signed-in person, before a change of the account: whoever stole a token can guess
   * 480 a day.
   */
  confirmPassword: { points: 20, duration: 3600, isByBrowser: true },
  /** Ending sessions and removing passkeys. */
  endAccess: { points: 60, duration: 60, isByBrowser: true },
  cancelDeletion: { points: 60, duration: 60, isByBrowser: true },
  /**
   * Not by e-mail address as well: codes of 80 bits are not guessed, and strangers would use up the tries of
   * the owner.
   */
  recover: { points: 60, duration: 60 },
  passkeyOptions: { points: 60, duration: 300 },
  /** Counted by account, since an account can open sessions by the hundred, and an export does not defend it. */
  exportAccount: { points: 3, duration: 86_400 },
  /** With the exports that end before they send anything, each of which may copy an account's rows. */
  prepareExport: { points: 30, duration: 86_400 },
  createChannel: { points: 30, duration: 3600 },
  changeImage: { points: 60, duration: 3600 },
  comment: { points: 60, duration: 60 },
  /** How far channels have been read. */
  readingPosition: { points: 240, duration: 60 },
  search: { points: 60, duration: 60 },
  searchWhileTyping: { points: 240, duration: 60 },
  /** Of one's own comments and channels: edits, deletions, restorations. */
  changeContent: { points: 60, duration: 60 },
  thank: { points: 120, duration: 60 },
  upload: { points: 120, duration: 3600 },
} satisfies Record<string, BudgetRule>;
/** Budget of all accounts of one address together, as a multiple of one account's budget. */
const accountsPerAddress = 10;

/** `uncounted`: it costs hardly more than to refuse it, or something else limits it. */
type Budget = keyof typeof budgets | 'uncounted';

/**
 * Counts the requests of every route registered from here on in the budget that the route declares, and
 * refuses a route that declares none. Requests for what is personal are also answered in turns, address by
 * address, as those for what everybody may read are in `cachedRoute`.
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
        return withResponseSlot(request, () => handler.call(this, request, reply));
      };
    }
  });
}

/**
 * Limits requests of each account, or of each browser of an account, or of each address without a session.
 * Counts in PostgreSQL for all processes, on SQLite in memory. The limit for all accounts of one address counts
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
    // Budgets in memory bound the work that an address makes, so nothing of them is a browser's own.
    const ownPoints = isByBrowser && !isInMemory ? points / 2 : 0;
    return [name, { duration, isByBrowser, ownPoints, limiter, addressLimiter }] as const;
  };
  const limiters = new Map(Object.entries(budgets).map(createLimiters));
  return async (request, budget) => {
    const limit = limiters.get(budget);
    if (!limit) return;
    const { duration, isByBrowser, ownPoints, limiter, addressLimiter } = limit;
    const { session } = request;
    const address = addressKey(request.ip);
    const account = session?.user.id ?? address;
    const key = session && isByBrowser ? browserKey(session) : account;
    try {
      const { consumedPoints } = await limiter.consume(key);
      if (!session) return;
      // Others at the address cannot use up the first half of a browser's budget.
      if (consumedPoints <= ownPoints) await addressLimiter.penalty(address);
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

/** The remembered browser of a session with all its tabs, or a session of its own. */
function browserKey({ id, deviceId }: { id: string; deviceId: string | null }): string {
  return deviceId ?? id;
}

function tooFast(seconds: number, isByBrowser = false): ApiError {
  // A new session has a budget of its own, also where a stolen copy of this one has used it up.
  const otherWay = isByBrowser ? ', o cierra la sesión y entra otra vez' : '';
  return new ApiError('too_many_requests', {
    detail: `Vas demasiado deprisa. Vuelve a intentarlo ${waitText(seconds)}${otherWay}.`,
    headers: { 'retry-after': String(seconds) },
  });
}

/**
 * Whether a count ends so late that the clock was ahead when it began: it would refuse people until the clock
 * gets there again.
 * @param seconds the longest that a count lasts
 */
export function beganAhead({ msBeforeNext }: RateLimiterRes, seconds: number): boolean {
  return msBeforeNext > 2 * seconds * 1000;
}

/** When to try again, in Spanish. */
export function waitText(seconds: number): string {
  if (seconds === 1) return 'dentro de un segundo';
  if (seconds <= 90) return `dentro de ${seconds} segundos`;
  if (seconds <= 90 * 60) return `dentro de ${Math.ceil(seconds / 60)} minutos`;
  return `dentro de ${Math.ceil(seconds / 3600)} horas`;
}
