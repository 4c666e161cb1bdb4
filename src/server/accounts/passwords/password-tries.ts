import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { createSharedLimiter } from '../../overload/postgres-rate-limiter.ts';
import { beganAhead, waitText } from '../../overload/rate-limits.ts';
import { emailKey } from '../email-key.ts';
import { hashToken } from '../hash-token.ts';

/** Wrong passwords within a day before the first wait. */
const freeTries = 10;
const daySeconds = 86_400;
/** Wait before each further try: it doubles from `first` to `longest`. */
const waitSeconds = { first: 60, longest: 3600 };
/**
 * Pairs counted in memory, some 700 bytes each; a further one evicts the least recently used. At the rate
 * limit of one address, evicting a pair with invented e-mail addresses takes seven hours.
 */
const maxPairsInMemory = 50_000;

/** An e-mail address, with or without an account, and the `addressKey` of the client. */
interface Pair {
  email: string;
  address: string;
}

/**
 * Slows down wrong passwords for one e-mail address from one client address. Tries from other client
 * addresses are not delayed, so that no stranger can lock an owner out.
 */
export interface PasswordTries {
  /**
   * Counts a try and runs its check. The right password ends the count.
   * @param check throws ApiError `wrong_credentials` for a wrong password
   * @throws ApiError `too_many_requests` with Retry-After before the wait is over
   */
  count<T>(pair: Pair, check: () => Promise<T>): Promise<T>;
  /** Resets the count, after the owner has set a new password. */
  reset(pair: Pair): Promise<void>;
}

/** Counts in PostgreSQL for all processes; with SQLite, up to `maxPairs` in memory. */
export function createPasswordTries(
  { config, db }: { config: Pick<Config, 'rateLimits' | 'databaseUrl'>; db: Database },
  maxPairs = maxPairsInMemory,
): PasswordTries {
  if (!config.rateLimits) return { count: (_pair, check) => check(), reset: async () => {} };
  const limiter = (keyPrefix: string, points: number) => {
    const budget = { keyPrefix, points, duration: daySeconds };
    // The wait is not cached in memory, because another process may end it.
    return config.databaseUrl
      ? createSharedLimiter(db, budget, { blocksInMemory: false })
      : new RateLimiterMemory(budget);
  };
  const tries = limiter('passwordTries', freeTries);
  /** One point per wait: the request that consumes it may try, others are rejected until it expires. */
  const waits = limiter('passwordWait', 1);
  const resetKey = (key: string) => Promise.all([tries.delete(key), waits.delete(key)]);
  const inMemory = new LRUCache<string, true>({
    max: maxPairs,
    dispose: (_value, key, reason) => {
      if (reason === 'evict') void resetKey(key);
    },
  });
  const reset = async (pair: Pair) => {
    await resetKey(keyOf(pair));
  };

  /** Counts the try before its check, so that concurrent tries count like sequential ones. */
  const begin = async (key: string): Promise<void> => {
    if (!config.databaseUrl) inMemory.set(key, true);
    const { consumedPoints } = await tries.penalty(key);
    if (consumedPoints < freeTries) return;
    const doubled = waitSeconds.first * 2 ** (consumedPoints - freeTries);
    const customDuration = Math.min(doubled, waitSeconds.longest);
    try {
      await waits.consume(key, 1, { customDuration });
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      await tries.reward(key);
      if (beganAhead(error, waitSeconds.longest)) {
        await waits.delete(key);
        return begin(key);
      }
      throw tooManyTries(error.msBeforeNext);
    }
  };

  return {
    reset,
    count: async (pair, check) => {
      const key = keyOf(pair);
      await begin(key);
      try {
        const result = await check();
        await reset(pair);
        return result;
      } catch (error) {
        const code = error instanceof ApiError ? error.code : undefined;
        // `account_disabled` is thrown only after the password has been verified.
        if (code === 'account_disabled') await reset(pair);
        else if (code !== 'wrong_credentials') await tries.reward(key);
        throw error;
      }
    },
  };
}

function tooManyTries(ms: number): ApiError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return new ApiError('too_many_requests', {
    detail: `Demasiadas contraseñas incorrectas para este correo. Vuelve a intentarlo ${waitText(seconds)} o pulsa «Recuperar el acceso».`,
    headers: { 'retry-after': String(seconds) },
  });
}

function keyOf({ email, address }: Pair): string {
  return hashToken(`${emailKey(email)} ${address}`);
}
