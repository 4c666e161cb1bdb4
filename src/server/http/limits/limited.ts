import pLimit from 'p-limit';
import { unavailableError } from '../api-error.ts';

/**
 * Limits how much of one kind of work is done at once; further work waits in the order of its calls.
 * @param maxWaiting beyond it, calls fail with ApiError `unavailable` at once instead of waiting for long
 */
export function createLimit(
  concurrency: number,
  maxWaiting = 64,
): <T>(work: () => Promise<T>) => Promise<T> {
  const limit = pLimit(concurrency);
  return async (work) => {
    if (limit.pendingCount >= maxWaiting) throw unavailableError();
    return limit(work);
  };
}
