import { dayMs } from '../../system/times.ts';

/** Lifetime of sessions and remembered browsers, even when they are in use. */
export const longestMs = 365 * dayMs;

/** When a session expires that is used now. */
export function endOfSession(createdMs: number, nowMs: number, sessionDays: number): number {
  return Math.min(nowMs + sessionDays * dayMs, createdMs + longestMs);
}
