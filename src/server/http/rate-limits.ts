import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../database/tables.ts';
import type { Config } from '../settings/config.ts';
import { addressKey } from './address-key.ts';
import { ApiError } from './api-error.ts';
import { createSharedLimiter } from './postgres-rate-limiter.ts';

/** Enough for a school behind one address; duration in seconds. */
const budgets = {
  signIn: { points: 120, duration: 60 },
  /** By remembered browsers: each new tab, and each tab that a browser restores. */
  resume: { points: 600, duration: 60 },
  signUp: { points: 200, duration: 3600 },
  /**
   * Of the password of a signed-in person, before a change of the account: whoever stole a token can guess
   * 2,000 a day.
   */
  confirmPassword: { points: 20, duration: 900 },
  endSession: { points: 60, duration: 60 },
  cancelDeletion: { points: 60, duration: 60 },
  recover: { points: 60, duration: 60 },
  /** By one client for one e-mail address, whether or not it has an account. */
  recoverAccount: { points: 30, duration: 3600 },
  /**
   * By all clients for one e-mail address. So many that strangers cannot keep the owner out: codes of
   * 80 bits are not guessed by them either.
   */
  recoverAccountByAll: { points: 30_000, duration: 3600 },
  passkeyOptions: { points: 60, duration: 300 },
  exportAccount: { points: 3, duration: 86_400 },
  /** With the exports that end before they send anything, each of which may copy an account's rows. */
  prepareExport: { points: 30, duration: 86_400 },
  createChannel: { points: 30, duration: 3600 },
  changeImage: { points: 60, duration: 3600 },
  comment: { points: 60, duration: 60 },
  read: { points: 240, duration: 60 },
  search: { points: 60, duration: 60 },
  searchWhileTyping: { points: 240, duration: 60 },
  /** Of one's own comments and channels: edits, deletions, restorations. */
  changeContent: { points: 60, duration: 60 },
  thank: { points: 120, duration: 60 },
  upload: { points: 120, duration: 3600 },
};
/** Budget of all accounts of one address together, as a multiple of one account's budget. */
const accountsPerAddress = 10;

type LimitedAction = keyof typeof budgets;

/**
 * A hook that counts one use of the action.
 * @param keyOf what has a budget of its own; by default the account, or without one the address
 * @throws ApiError `too_many_requests` with Retry-After
 */
export type Limit = (
  action: LimitedAction,
  keyOf?: (request: FastifyRequest) => string,
) => preHandlerAsyncHookHandler;

/**
 * Limits requests of each account, or of each address without a session. Counts in PostgreSQL for all
 * processes, on SQLite in memory. The limit for all accounts of one address counts within each process.
 */
export function createLimits({
  config,
  db,
}: {
  config: Pick<Config, 'rateLimits' | 'databaseUrl'>;
  db: Database;
}): Limit {
  if (!config.rateLimits) return () => async () => {};
  const createLimiters = (action: LimitedAction) => {
    const budget = { keyPrefix: action, ...budgets[action] };
    const points = budget.points * accountsPerAddress;
    return {
      limiter: config.databaseUrl ? createSharedLimiter(db, budget) : new RateLimiterMemory(budget),
      addressLimiter: new RateLimiterMemory({ ...budget, points }),
    };
  };
  /** Routes of the same action share its budget. */
  const limiters = new Map<LimitedAction, ReturnType<typeof createLimiters>>();
  return (action, keyOf = rateLimitKey) => {
    const { limiter, addressLimiter } = limiters.get(action) ?? createLimiters(action);
    limiters.set(action, { limiter, addressLimiter });
    return async (request) => {
      try {
        if (request.session) await addressLimiter.consume(addressKey(request.ip));
        await limiter.consume(keyOf(request));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        if (beganAhead(error, budgets[action].duration)) {
          await Promise.all([
            limiter.delete(keyOf(request)),
            addressLimiter.delete(addressKey(request.ip)),
          ]);
          return;
        }
        const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        throw new ApiError('too_many_requests', {
          detail: `Vas demasiado deprisa. Vuelve a intentarlo ${waitText(seconds)}.`,
          headers: { 'retry-after': String(seconds) },
        });
      }
    };
  };
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

/** The account's id, or the address of a request without a session. */
function rateLimitKey(request: FastifyRequest): string {
  return request.session?.user.id ?? addressKey(request.ip);
}
