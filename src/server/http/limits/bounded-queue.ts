import pLimit from 'p-limit';
import { unavailableError } from '../api-error.ts';

/**
 * Limits the concurrency of one kind of work; further calls wait in order.
 * @param maxWaiting beyond it, calls fail at once with ApiError `unavailable`, instead of after a long wait
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
