import { dayMs } from '../../times.ts';

/** Lifetime of sessions and remembered browsers, even when they are in use. */
export const longestMs = 365 * dayMs;

/**
 * Whether something short-lived has not expired. An expiry far in the future is refused, because a clock
 * running ahead recorded it.
 * @param lifeMs its lifetime; as much again is tolerated for processes whose clocks differ
 */
export function isUnexpired(expiresAtMs: number, nowMs: number, lifeMs: number): boolean {
  return expiresAtMs > nowMs && expiresAtMs <= nowMs + 2 * lifeMs;
}

/** When a session expires that is used now. */
export function endOfSession(createdMs: number, nowMs: number, sessionDays: number): number {
  return Math.min(nowMs + sessionDays * dayMs, createdMs + longestMs);
}
