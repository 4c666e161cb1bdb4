import { ApiError } from '../api-error.ts';

interface OpenBounds {
  perKey: number;
  /** Maximum for all keys together; none by default. */
  total?: number;
  /** Spanish text, shown when one key has reached its limit. */
  detail: string;
  retryAfterSeconds: number;
}

/**
 * Limits the number of open streams, uploads or connections. A key is an account's id or an `addressKey`.
 * @returns a function that counts one more for a key, and returns a function that subtracts it again (once).
 *   It throws ApiError `too_many_requests` when the key has reached its limit, `busy` when the total is reached
 */
export function openCounts(bounds: OpenBounds): (key: string) => () => void {
  const { perKey, total = Number.POSITIVE_INFINITY, detail, retryAfterSeconds } = bounds;
  const counts = new Map<string, number>();
  let all = 0;
  return (key) => {
    const headers = { 'retry-after': String(retryAfterSeconds) };
    const count = counts.get(key) ?? 0;
    if (count >= perKey) throw new ApiError('too_many_requests', { detail, headers });
    if (all >= total) throw new ApiError('busy', { headers });
    counts.set(key, count + 1);
    all++;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      all--;
      const left = (counts.get(key) ?? 0) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  };
}
