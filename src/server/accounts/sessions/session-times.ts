import { dayMs } from '../../system/times.ts';

/** Maximum lifetime of sessions and remembered browsers, even when in use. */
export const longestMs = 365 * dayMs;

/** Expiry of a session used now. */
export function endOfSession(createdMs: number, nowMs: number, sessionDays: number): number {
  return Math.min(nowMs + sessionDays * dayMs, createdMs + longestMs);
}
