import { hash } from 'node:crypto';
import { ApiError } from '../../http/api-error.ts';
import {
  consume,
  createLimiter,
  type LimiterServices,
  waitText,
} from '../../http/limits/budgets.ts';
import { emailKey } from '../../mail/email-key.ts';

/** Limit of wrong passwords for one account from one address. */
const rule = { points: 10, duration: 3600, isShared: true } as const;

/** An e-mail address, with or without an account, and the `addressKey` of the client. */
interface Pair {
  email: string;
  address: string;
}

/**
 * Limits wrong passwords for one e-mail address from one client address. Attempts from other client addresses are not
 * delayed, so that no stranger can lock the owner out.
 */
export interface PasswordTries {
  /**
   * Counts an attempt and runs its check. The right password resets the count.
   * @param check throws ApiError `wrong_credentials` for a wrong password
   * @throws ApiError `too_many_requests` with Retry-After
   */
  count<T>(pair: Pair, check: () => Promise<T>): Promise<T>;
  /** Resets the count, after the owner has set a new password. */
  reset(pair: Pair): Promise<void>;
}

export function createPasswordTries(services: LimiterServices): PasswordTries {
  if (!services.config.rateLimits)
    return { count: (_pair, check) => check(), reset: async () => {} };
  const limiter = createLimiter(services, 'passwordTries', rule);
  return {
    async count(pair, check) {
      const key = keyOf(pair);
      // Count before the check, so that concurrent attempts are limited like sequential ones.
      const seconds = await consume(limiter, key);
      if (seconds > 0) throw tooManyTries(seconds);
      try {
        const result = await check();
        await limiter.delete(key);
        return result;
      } catch (error) {
        const isWrong = error instanceof ApiError && error.code === 'wrong_credentials';
        if (!isWrong) await limiter.reward(key);
        throw error;
      }
    },
    async reset(pair) {
      await limiter.delete(keyOf(pair));
    },
  };
}

function keyOf({ email, address }: Pair): string {
  return hash('sha256', `${emailKey(email)} ${address}`, 'base64url');
}

function tooManyTries(seconds: number): ApiError {
  return new ApiError('too_many_requests', {
    detail: `Demasiadas contraseñas incorrectas para este correo. Vuelve a intentarlo ${waitText(seconds)} o pulsa «Recuperar el acceso».`,
    headers: { 'retry-after': String(seconds) },
  });
}
