import { LRUCache } from 'lru-cache';
import type { LiveBus } from '../live/bus/live-bus.ts';
import type { CachedResponse } from './cached-response.ts';

/** Room for some thousand pages; beyond it the least recently used are evicted. */
const maxBytes = 32 * 1024 * 1024;

/** What a response shows: what a change of any channel may alter, one channel, or neither. */
export type Subject = 'lists' | 'site' | { channelId: string };

/** A response that is being made. */
interface Pending {
  subject: Subject;
  response: Promise<CachedResponse>;
  /** Whether what it shows has changed since it was begun. */
  isStale: boolean;
}

/**
 * Responses that are the same for every caller. A change drops those that show it before it is acknowledged, so
 * that a client that knows of it never reads an older state. One response per key is made at a time.
 */
export class ResponseCache {
  readonly #live: LiveBus;
  readonly #pending = new Map<string, Pending>();
  readonly #entries = new LRUCache<string, { subject: Subject; response: CachedResponse }>({
    maxSize: maxBytes,
    // Add half the size for the compressed encodings, and a constant for the bookkeeping.
    sizeCalculation: ({ response }, key) =>
      Math.ceil(response.bytes.length * 1.5) + key.length + 500,
  });

  constructor(live: LiveBus) {
    this.#live = live;
    live.watch((message) => {
      // A person appears in many responses: as an author, and in mentions, replies and thanks.
      if (message === 'gap' || message.kind === 'profile') this.clear();
      else this.#drop((subject) => isShownIn(subject, message.channelId));
    });
  }

  /** Returns the cached response, if it is known to be current. */
  cached(key: string): CachedResponse | undefined {
    // While the bus is disconnected, changes go unnoticed and no entry can be trusted.
    return this.#live.isListening ? this.#entries.get(key)?.response : undefined;
  }

  /**
   * Returns the cached response, or else the one that `make` resolves to, which is then cached. If `make`
   * rejects, so do all calls that wait for it, and nothing is cached.
   * @param key contains everything that the response depends on, except time
   */
  async get(
    key: string,
    subject: Subject,
    make: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    for (;;) {
      const cached = this.cached(key);
      if (cached) return cached;
      const pending = this.#pending.get(key);
      if (!pending) return this.#make(key, subject, make);
      if (!pending.isStale) return pending.response;
      // This caller may know of a change that the pending response lacks: wait and make another.
      await pending.response.catch(() => {});
    }
  }

  async #make(
    key: string,
    subject: Subject,
    make: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    const pending: Pending = { subject, response: make(), isStale: false };
    this.#pending.set(key, pending);
    try {
      const response = await pending.response;
      if (!pending.isStale && this.#live.isListening) this.#entries.set(key, { subject, response });
      return response;
    } finally {
      this.#pending.delete(key);
    }
  }

  clear(): void {
    this.#drop(() => true);
  }

  #drop(hasChanged: (subject: Subject) => boolean): void {
    for (const pending of this.#pending.values()) pending.isStale ||= hasChanged(pending.subject);
    const keys: string[] = [];
    this.#entries.forEach(({ subject }, key) => {
      if (hasChanged(subject)) keys.push(key);
    });
    for (const key of keys) this.#entries.delete(key);
  }
}

/** Lists show the number of comments of each channel, and are sorted by it. */
function isShownIn(subject: Subject, channelId: string): boolean {
  return subject === 'lists' || (typeof subject === 'object' && subject.channelId === channelId);
}
