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
/** Before each further try: doubles from the first to the longest. */
const waitSeconds = { first: 60, longest: 3600 };
/**
 * Pairs that are counted in memory, some 700 bytes each; one more replaces the one tried longest ago.
 * Who makes up e-mail addresses to have a pair forgotten needs seven hours from one address.
 */
const maxPairsInMemory = 50_000;

/** Who tries: an e-mail address, with or without an account, from an `addressKey`. */
interface Pair {
  email: string;
  address: string;
}

/**
 * Slows down wrong passwords for one e-mail address from one client address. From other addresses, and
 * for other e-mail addresses, nothing changes, so that no stranger can keep an owner out.
 */
export interface PasswordTries {
  /**
   * Counts a try and runs its check. The right password ends the count.
   * @param check throws ApiError `wrong_credentials` for a wrong password
   * @throws ApiError `too_many_requests` with Retry-After before the wait is over
   */
  count<T>(pair: Pair, check: () => Promise<T>): Promise<T>;
  /** Ends the count, after the owner has set a new password. */
  forget(pair: Pair): Promise<void>;
}

/** Counts in PostgreSQL for all processes, on SQLite in memory. */
export function createPasswordTries({
  config,
  db,
}: {
  config: Pick<Config, 'rateLimits' | 'databaseUrl'>;
  db: Database;
}): PasswordTries {
  if (!config.rateLimits) return { count: (_pair, check) => check(), forget: async () => {} };
  const limiter = (keyPrefix: string, points: number) => {
    const budget = { keyPrefix, points, duration: daySeconds };
    // Another process may end a wait: it is not remembered here.
    return config.databaseUrl
      ? createSharedLimiter(db, budget, { blocksInMemory: false })
      : new RateLimiterMemory(budget);
  };
  const tries = limiter('passwordTries', freeTries);
  /** Whoever consumes its point may try, the others wait until it expires. */
  const waits = limiter('passwordWait', 1);
  const forgetKey = (key: string) => Promise.all([tries.delete(key), waits.delete(key)]);
  const inMemory = new LRUCache<string, true>({
    max: maxPairsInMemory,
    dispose: (_value, key, reason) => {
      if (reason === 'evict') void forgetKey(key);
    },
  });
  const forget = async (pair: Pair) => {
    await forgetKey(keyOf(pair));
  };

  /** Counts the try before its check, so that many at once are no more than one after the other. */
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
    forget,
    count: async (pair, check) => {
      const key = keyOf(pair);
      await begin(key);
      try {
        const result = await check();
        await forget(pair);
        return result;
      } catch (error) {
        const code = error instanceof ApiError ? error.code : undefined;
        // A disabled account is mentioned to those who know its password.
        if (code === 'account_disabled') await forget(pair);
        else if (code !== 'wrong_credentials') await tries.reward(key);
        throw error;
      }
    },
  };
}

function tooManyTries(ms: number): ApiError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return new ApiError('too_many_requests', {
    detail: `Van demasiadas contraseñas incorrectas para este correo. Vuelve a intentarlo ${waitText(seconds)}, o pulsa «Recuperar el acceso».`,
    headers: { 'retry-after': String(seconds) },
  });
}

function keyOf({ email, address }: Pair): string {
  return hashToken(`${emailKey(email)} ${address}`);
}
