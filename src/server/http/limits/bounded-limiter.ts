import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** One client address cannot use this many keys within any limit's period: it can try 7,200 passwords in an hour. */
export const maxKeys = 10_000;

/**
 * Counts in memory for a bounded number of keys; beyond it the least recently used is discarded. Otherwise a client with
 * many addresses would fill the memory. Discarding gives it no advantage, because each address has its own count anyway.
 */
export class BoundedLimiter extends RateLimiterMemory {
  readonly #keys = new LRUCache<string | number, true>({
    // `max` would allocate memory for all keys up front.
    maxSize: maxKeys,
    sizeCalculation: () => 1,
    dispose: (_value, key) => void super.delete(key),
  });

  override consume(key: string | number) {
    this.#keys.set(key, true);
    return super.consume(key);
  }

  override reward(key: string | number) {
    this.#keys.set(key, true);
    return super.reward(key);
  }
}
