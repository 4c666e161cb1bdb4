import { LRUCache } from 'lru-cache';
import type { Change, LiveBus, News } from '../live/live-bus.ts';
import type { CachedResponse } from './cached-response.ts';

/** Some thousand pages; the least recently used go first. */
const maxBytes = 32 * 1024 * 1024;

/** What an answer shows: a list of channels, one channel, or nothing that anyone changes. */
export type Subject = 'lists' | 'site' | { channelId: string };

interface Kept {
  answer: CachedResponse;
  subject: string;
}

interface Making {
  subject: string;
  answer: Promise<CachedResponse>;
  /** Something that it shows changed after it was begun. */
  isStale: boolean;
}

/**
 * Answers that are the same for everyone, made once per change. A change drops exactly what shows
 * it, before the change is acknowledged, so nobody who knows of it is told the old state. Each
 * answer is made by one at a time, however many ask and however fast it changes.
 */
export class ResponseCache {
  readonly #live: LiveBus;
  readonly #hasChangedElsewhere: () => boolean;
  readonly #making = new Map<string, Making>();
  /** Keys of the kept answers, by subject. */
  readonly #keys = new Map<string, Set<string>>();
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    // Half as much again for its compressed forms, and something for the key.
    sizeCalculation: ({ answer }, key) => Math.ceil(answer.bytes.length * 1.5) + key.length + 500,
    dispose: ({ subject }, key) => this.#forgetKey(subject, key),
  });

  /**
   * @param hasChangedElsewhere whether something was written since the last time it was asked that
   * the bus may not have told of: then nothing kept is known to hold. Asked before each answer.
   */
  constructor(live: LiveBus, hasChangedElsewhere = () => false) {
    this.#live = live;
    this.#hasChangedElsewhere = hasChangedElsewhere;
    live.watch((news) => this.#hear(news));
  }

  /** The kept answer, if there is one that is known to hold. */
  kept(key: string): CachedResponse | undefined {
    if (this.#hasChangedElsewhere()) this.clear();
    // Who does not hear of changes cannot know what still holds.
    return this.#live.isListening ? this.#kept.get(key)?.answer : undefined;
  }

  /**
   * The kept answer, else what `make` comes to. What it throws is thrown to everyone who waits, and
   * not kept.
   * @param key names the answer: everything that it depends on but time
   */
  async get(
    key: string,
    subject: Subject,
    make: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    for (;;) {
      const kept = this.kept(key);
      if (kept) return kept;
      const making = this.#making.get(key);
      if (!making) return this.#make(key, nameOf(subject), make);
      if (!making.isStale) return making.answer;
      // Begun before a change that this asker may know of: the next one is for them.
      await making.answer.catch(() => {});
    }
  }

  /** Keeps nothing of what it has. */
  clear(): void {
    for (const making of this.#making.values()) making.isStale = true;
    this.#kept.clear();
  }

  async #make(
    key: string,
    subject: string,
    make: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    const making: Making = { subject, answer: make(), isStale: false };
    this.#making.set(key, making);
    try {
      const answer = await making.answer;
      if (!making.isStale && this.#live.isListening) this.#keep(key, { answer, subject });
      return answer;
    } finally {
      this.#making.delete(key);
    }
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    // What is larger than the whole bound is not kept.
    if (!this.#kept.has(key)) return;
    const keys = this.#keys.get(kept.subject) ?? new Set();
    this.#keys.set(kept.subject, keys.add(key));
  }

  #forgetKey(subject: string, key: string): void {
    const keys = this.#keys.get(subject);
    keys?.delete(key);
    if (keys?.size === 0) this.#keys.delete(subject);
  }

  #hear(news: News<Change>): void {
    if (news === 'gap') {
      this.clear();
    } else if (news.kind === 'account') {
      this.#dropWhoShows(news.accountId);
    } else {
      // A comment counts in the lists, and may move its channel in them.
      this.#drop('lists');
      this.#drop(nameOf(news));
    }
  }

  #drop(subject: string): void {
    for (const making of this.#making.values()) making.isStale ||= making.subject === subject;
    for (const key of this.#keys.get(subject) ?? []) this.#kept.delete(key);
  }

  /** Whom an answer shows is known once it is made: none that is being made can be trusted. */
  #dropWhoShows(accountId: string): void {
    for (const making of this.#making.values()) making.isStale = true;
    for (const [key, { answer }] of this.#kept) {
      if (answer.accountIds.has(accountId)) this.#kept.delete(key);
    }
  }
}

function nameOf(subject: Subject): string {
  return typeof subject === 'string' ? subject : `channel ${subject.channelId}`;
}
