import type { Problem } from '../../shared/errors.ts';
import type { UploadFailure, UploadWait } from './upload-task.ts';
import { uploadTexts } from './upload-texts.ts';

/** What the server said to a request of an upload that failed. */
export interface Refused {
  status: number;
  /** The header's value: seconds, if the server gave any. */
  retryAfter: string | null;
  problem: Problem | null;
}

/** What to do next: try again after a while, or tell people. */
export type NextStep = { wait: UploadWait; delayMs: number } | UploadFailure;

const delaysMs = [0, 1000, 3000, 5000, 10_000, 30_000];
const longestDelayMs = 30_000;
/** More than this nobody waits for without being asked. */
const longestRetryAfterMs = 120_000;

/**
 * Without an answer an upload goes on for as long as it takes; a server in trouble is given a few
 * tries, or the time it asked for; what it refuses is final.
 * @param failures in a row, before this one
 */
export function afterFailure(refused: Refused | null, failures: number): NextStep {
  const delayMs = delaysMs[failures];
  if (!refused) return { wait: 'network', delayMs: delayMs ?? longestDelayMs };

  const { status, problem } = refused;
  const isBusy = status === 503 || status === 429;
  const askedMs = Number(refused.retryAfter ?? Number.NaN) * 1000;
  if (isBusy && askedMs <= longestRetryAfterMs) return { wait: 'server', delayMs: askedMs };
  // Locked or elsewhere: the server has not noticed yet that the request before this one broke.
  const isPassing = status >= 500 || status === 409 || status === 423;
  if (isPassing && delayMs !== undefined) return { wait: 'server', delayMs };
  // Words that are not this site's come from something in between, which may be gone next time.
  const canResume = isPassing || isBusy || !problem;
  return { message: problem?.detail ?? uploadTexts.failed, canResume };
}
