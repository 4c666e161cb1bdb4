import { LRUCache } from 'lru-cache';
import type { PublicChange } from '../database/public-change.ts';
import type { BusMessage, LiveBus } from '../live/bus/live-bus.ts';
import type { CachedResponse } from './cached-response.ts';

/** Room for some thousand pages; beyond it the least recently used are evicted. */
const maxBytes = 32 * 1024 * 1024;

/** Interval of checks for changes that a command made without the server. */
const elsewhereMs = 1000;

/** The content of a response: anything that a change of any channel may alter, one channel, or nothing that can change. */
export type Subject = 'lists' | 'site' | { channelId: string };

interface Entry {
  response: CachedResponse;
  subject: string;
}

interface PendingEntry {
  response: Promise<CachedResponse>;
  subject: string;
  /** Whether its subject has changed since it was started. */
  isStale: boolean;
}

/**
 * Responses that are the same for every caller, made once per change. A change of a channel evicts the
 * responses that show it, and a change of a profile evicts all, before the change is acknowledged, so that
 * a client that knows of a change never reads an older state. One response per key is made at a time.
 */
export class ResponseCache {
  readonly #live: LiveBus;
  readonly #hasChangedElsewhere: () => boolean;
  readonly #pending = new Map<string, PendingEntry>();
  /** Keys of the entries, by subject. */
  readonly #keys = new Map<string, Set<string>>();
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // Add half the size for the compressed encodings, and a constant for the bookkeeping.
    sizeCalculation: ({ response }, key) =>
      Math.ceil(response.bytes.length * 1.5) + key.length + 500,
    dispose: ({ subject }, key) => this.#removeKey(subject, key),
  });

  /**
   * @param hasChangedElsewhere whether something was written since its last call that the bus did not
   * announce
   */
  constructor(live: LiveBus, hasChangedElsewhere = () => false) {
    this.#live = live;
    this.#hasChangedElsewhere = hasChangedElsewhere;
    live.watch((message) => this.#evict(message));
  }

  /** Returns the cached response, if it is known to be current. */
  cached(key: string): CachedResponse | undefined {
    this.checkElsewhere();
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
      if (!pending) return this.#make(key, subjectName(subject), make);
      if (!pending.isStale) return pending.response;
      // This caller may know of a change that the pending response lacks: wait and make another.
      await pending.response.catch(() => {});
    }
  }

  /** Publishes a gap, which clears the cache, when something was written that was not announced. */
  checkElsewhere(): void {
    if (this.#hasChangedElsewhere()) this.#live.publishGap();
  }

  /** Starts checking at intervals, for live readers, who send no requests. @returns a function that stops it */
  checkRegularly(): () => void {
    const timer = setInterval(() => {
      try {
        this.checkElsewhere();
      } catch {
        // A failing disk is reported by requests.
      }
    }, elsewhereMs).unref();
    return () => clearInterval(timer);
  }

  clear(): void {
    for (const pending of this.#pending.values()) pending.isStale = true;
    this.#entries.clear();
  }

  async #make(
    key: string,
    subject: string,
    make: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    const pending: PendingEntry = { response: make(), subject, isStale: false };
    this.#pending.set(key, pending);
    try {
      const response = await pending.response;
      if (!pending.isStale && this.#live.isListening) this.#add(key, { response, subject });
      return response;
    } finally {
      this.#pending.delete(key);
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    // The LRU cache rejects an entry larger than `maxBytes`.
    if (!this.#entries.has(key)) return;
    const keys = this.#keys.get(entry.subject) ?? new Set();
    this.#keys.set(entry.subject, keys.add(key));
  }

  #removeKey(subject: string, key: string): void {
    const keys = this.#keys.get(subject);
    keys?.delete(key);
    if (keys?.size === 0) this.#keys.delete(subject);
  }

  #evict(message: BusMessage<PublicChange>): void {
    // A person appears in many responses: as an author, and in mentions, replies and thanks.
    if (message === 'gap' || message.kind === 'profile') {
      this.clear();
    } else {
      // Lists show the number of comments and are sorted by it.
      for (const subject of ['lists', subjectName(message)]) {
        for (const key of this.#keys.get(subject) ?? []) this.#entries.delete(key);
        for (const pending of this.#pending.values()) {
          pending.isStale ||= pending.subject === subject;
        }
      }
    }
  }
}

function subjectName(subject: Subject): string {
  return typeof subject === 'string' ? subject : `channel ${subject.channelId}`;
}
