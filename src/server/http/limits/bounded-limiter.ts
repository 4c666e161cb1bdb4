import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** More than one client address can use in the time of any limit: it tries 7,200 passwords in an hour. */
export const maxKeys = 10_000;

/**
 * Counts in memory, for a bounded number of keys: beyond it the one that was used longest ago is forgotten. A client with
 * many addresses, which count apart anyway, would fill the memory otherwise.
 */
export class BoundedLimiter extends RateLimiterMemory {
  readonly #keys = new LRUCache<string | number, true>({
    // `max` would reserve the memory at once.
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
