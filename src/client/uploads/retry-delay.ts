import type { Problem } from '../../shared/errors.ts';
import type { UploadFailure, UploadWait } from './upload-task.ts';
import { uploadTexts } from './upload-texts.ts';

/** What the server said to a request of an upload that failed. */
export interface Refused {
  status: number;
  /** The header's value: seconds or a date, if the server gave any. */
  retryAfter: string | null;
  /** When it said so, by its own clock: the value of its `Date` header. */
  date: string | null;
  problem: Problem | null;
}

/** What to do next: try again after a while, or tell people. */
export type NextStep = { wait: UploadWait; delayMs: number } | UploadFailure;

const delaysMs = [0, 1000, 3000, 5000, 10_000, 30_000];
const longestDelayMs = 30_000;
/** More than this nobody waits for without being asked. */
const longestRetryAfterMs = 120_000;
/** What a server that answered is given at least, however soon it wants to be asked again. */
const shortestDelayMs = 1_000;
/** So long that grows while it asks for less. */
const longestBusyMs = 10_000;

/**
 * Without an answer an upload goes on for as long as it takes; a server in trouble is given a few
 * tries, or the time it asked for, but never less than a second; what it refuses is final.
 * @param failures in a row, before this one
 */
export function afterFailure(refused: Refused | null, failures: number): NextStep {
  const delayMs = delaysMs[failures];
  if (!refused) return { wait: 'network', delayMs: delayMs ?? longestDelayMs };

  const { status, problem } = refused;
  const isBusy = status === 503 || status === 429;
  // Locked or elsewhere: the server has not noticed yet that the request before this one broke.
  const isPassing = isBusy || status >= 500 || status === 409 || status === 423;
  const askedMs = isBusy ? readRetryAfter(refused) : null;
  if (askedMs !== null && askedMs <= longestRetryAfterMs) {
    const leastMs = Math.min(longestBusyMs, shortestDelayMs * 2 ** failures);
    return { wait: 'server', delayMs: Math.max(askedMs, leastMs) };
  }
  if (askedMs === null && isPassing && delayMs !== undefined) {
    return { wait: 'server', delayMs: Math.max(delayMs, shortestDelayMs) };
  }
  // Words that are not this site's come from something in between, which may be gone next time.
  const canResume = isPassing || !problem;
  return { message: problem?.detail ?? uploadTexts.failed, canResume };
}

/** How long the server asks to be left alone, in milliseconds; null when it says nothing readable. */
function readRetryAfter({ retryAfter, date }: Refused): number | null {
  if (!retryAfter?.trim()) return null;
  const seconds = Number(retryAfter);
  if (!Number.isNaN(seconds)) return seconds * 1000;
  const untilMs = Date.parse(retryAfter) - Date.parse(date ?? '');
  return Number.isNaN(untilMs) ? null : untilMs;
}
