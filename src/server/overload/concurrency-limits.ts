import { ApiError } from '../http/api-error.ts';

export interface ConcurrencyBounds {
  /** Maximum open at once for one key. */
  perKey: number;
  /** Maximum open at once for all keys; undefined for no such limit. */
  total?: number;
  /** Spanish text, shown when one key has reached its limit. */
  detail: string;
  retryAfterSeconds: number;
}

const totalDetail = 'Ahora hay demasiada gente a la vez. Espera un momento y vuelve a intentarlo.';

/**
 * Limits how many streams, downloads or requests are open at once, for each key and in total. A key is
 * an account's id or an `addressKey`. Counts within one process.
 */
export class ConcurrencyLimit {
  readonly #bounds: ConcurrencyBounds;
  readonly #open = new Map<string, number>();
  #total = 0;

  constructor(bounds: ConcurrencyBounds) {
    this.#bounds = bounds;
  }

  /**
   * @returns a function that releases the slot; further calls do nothing
   * @throws ApiError `too_many_requests` when the key has reached its limit, `busy` when the total is
   *   reached; both with Retry-After
   */
  acquire(key: string): () => void {
    const { perKey, total = Number.POSITIVE_INFINITY, detail, retryAfterSeconds } = this.#bounds;
    const headers = { 'retry-after': String(retryAfterSeconds) };
    const open = this.#open.get(key) ?? 0;
    if (open >= perKey) throw new ApiError('too_many_requests', { detail, headers });
    if (this.#total >= total) throw new ApiError('busy', { detail: totalDetail, headers });
    this.#open.set(key, open + 1);
    this.#total++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#release(key);
    };
  }

  #release(key: string): void {
    this.#total--;
    const left = (this.#open.get(key) ?? 0) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
  }
}
