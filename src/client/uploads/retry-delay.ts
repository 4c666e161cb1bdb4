import type { Problem } from '../../shared/errors.ts';
import { problemText } from '../api/failures.ts';
import type { UploadFailure, UploadWait } from './upload-task.ts';
import { uploadTexts } from './upload-texts.ts';

/** The response to a failed request of an upload. */
export interface ErrorResponse {
  status: number;
  /** The `Retry-After` header: seconds or a date. */
  retryAfter: string | null;
  /** The `Date` header: the time of the response by the server's clock. */
  date: string | null;
  problem: Problem | null;
}

/** Retry after a delay, or show a failure. */
export type NextStep = { wait: UploadWait; delayMs: number } | UploadFailure;

/** Indexed by the number of consecutive failures. */
const delaysMs = [0, 1000, 3000, 5000, 10_000, 30_000];
/** After more failures than that, without a response. */
const longestDelayMs = 30_000;
/** A longer `Retry-After` is shown as a failure, to retry by hand. */
const longestRetryAfterMs = 120_000;
/** The shortest delay after a response, even if `Retry-After` is shorter. */
const shortestDelayMs = 1_000;
/** Up to this the shortest delay doubles with each failure. */
const longestBusyMs = 10_000;

/**
 * Decides what follows a failed request. Without a response: retries without limit. On a temporary
 * error: retries a few times, or after `Retry-After`, but not within a second. On other errors: fails.
 * @param response null when the connection failed
 * @param failures number of consecutive failures before this one
 */
export function afterFailure(response: ErrorResponse | null, failures: number): NextStep {
  const delayMs = delaysMs[failures];
  if (!response) return { wait: 'network', delayMs: delayMs ?? longestDelayMs };

  const { status, problem } = response;
  const isBusy = status === 503 || status === 429;
  // 409 and 423: the server has not noticed yet that the previous request was interrupted.
  const isPassing = isBusy || status >= 500 || status === 409 || status === 423;
  const askedMs = isBusy ? readRetryAfter(response) : null;
  if (askedMs !== null && askedMs <= longestRetryAfterMs) {
    const leastMs = Math.min(longestBusyMs, shortestDelayMs * 2 ** failures);
    return { wait: 'server', delayMs: Math.max(askedMs, leastMs) };
  }
  if (askedMs === null && isPassing && delayMs !== undefined) {
    return { wait: 'server', delayMs: Math.max(delayMs, shortestDelayMs) };
  }
  // A response without a problem comes from a proxy; after 401, the person can sign in again.
  const canResume = isPassing || !problem || status === 401;
  return { message: problem ? problemText(problem) : uploadTexts.failed, canResume };
}

/** `Retry-After` in milliseconds, or null if it is missing or unreadable. */
function readRetryAfter({ retryAfter, date }: ErrorResponse): number | null {
  if (!retryAfter?.trim()) return null;
  const seconds = Number(retryAfter);
  if (!Number.isNaN(seconds)) return seconds * 1000;
  const untilMs = Date.parse(retryAfter) - Date.parse(date ?? '');
  return Number.isNaN(untilMs) ? null : untilMs;
}
