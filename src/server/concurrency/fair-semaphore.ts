import { FairQueue } from './fair-queue.ts';
import { passTurns } from './pass-turns.ts';

interface Waiting {
  slots: number;
  start: () => void;
}

/**
 * Limits how much work runs at once. Callers that wait take slots in rotation. Work starts piece by
 * piece, with turns of the event loop between: on SQLite a piece may run to its end without waiting. Counts
 * within one process.
 */
export class FairSemaphore {
  #free: number;
  readonly #maxWaitingPerKey: number;
  readonly #fullError: () => Error;
  readonly #waiting = new FairQueue<Waiting>();
  #isStarting = false;

  /** @param fullError makes the error for work beyond `maxWaitingPerKey` of one caller */
  constructor(slots: number, maxWaitingPerKey: number, fullError: () => Error) {
    this.#free = slots;
    this.#maxWaitingPerKey = maxWaitingPerKey;
    this.#fullError = fullError;
  }

  /**
   * Runs the work when enough slots are free.
   * @param key an account's id or an `addressKey`
   * @param slots used by the work, at most the semaphore's total
   * @throws `fullError()`, or what the work throws
   */
  async run<T>(key: string, work: () => Promise<T> | T, slots = 1): Promise<T> {
    await this.#acquire(key, slots);
    try {
      return await work();
    } finally {
      this.#free += slots;
      this.#startNext();
    }
  }

  #acquire(key: string, slots: number): Promise<void> {
    if (this.#waiting.length(key) >= this.#maxWaitingPerKey) throw this.#fullError();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(key, { slots, start: resolve });
    this.#startNext();
    return promise;
  }

  #startNext(): void {
    const next = this.#waiting.peek();
    if (this.#isStarting || !next || next.slots > this.#free) return;
    this.#waiting.shift();
    this.#free -= next.slots;
    this.#isStarting = true;
    void passTurns().then(() => {
      this.#isStarting = false;
      next.start();
      this.#startNext();
    });
  }
}
