import { FairQueue } from './fair-queue.ts';
import { passTurns } from './pass-turns.ts';

interface Waiting {
  slots: number;
  isNeeded: () => boolean;
  start: () => void;
  refuse: () => void;
}

interface WorkOptions {
  /** Slots that the work takes, at most the semaphore's total; 1 by default. */
  slots?: number;
  /** Asked when a slot is free; false refuses the work, such as for a client that has left. */
  isNeeded?: () => boolean;
}

/**
 * Limits how much work runs at once. Waiting callers take slots in rotation. One piece of work starts in each
 * turn of the event loop, because with SQLite a piece may run to its end without yielding. Counts within one
 * process.
 */
export class FairSemaphore {
  #free: number;
  readonly #maxWaitingPerKey: number;
  readonly #refusal: () => Error;
  readonly #waiting = new FairQueue<Waiting>();
  #isStarting = false;

  /** @param refusal creates the error for work that exceeds `maxWaitingPerKey` or is not needed any longer */
  constructor(slots: number, maxWaitingPerKey: number, refusal: () => Error) {
    this.#free = slots;
    this.#maxWaitingPerKey = maxWaitingPerKey;
    this.#refusal = refusal;
  }

  /**
   * Runs the work when enough slots are free.
   * @param key an account's id or an `addressKey`
   * @throws `refusal()`, or what the work throws
   */
  async run<T>(
    key: string,
    work: () => Promise<T> | T,
    { slots = 1, isNeeded = () => true }: WorkOptions = {},
  ): Promise<T> {
    await this.#acquire(key, slots, isNeeded);
    try {
      return await work();
    } finally {
      this.#free += slots;
      this.#startNext();
    }
  }

  #acquire(key: string, slots: number, isNeeded: () => boolean): Promise<void> {
    if (this.#waiting.length(key) >= this.#maxWaitingPerKey) throw this.#refusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = () => reject(this.#refusal());
    this.#waiting.push(key, { slots, isNeeded, start: resolve, refuse });
    this.#startNext();
    return promise;
  }

  #startNext(): void {
    if (this.#isStarting) return;
    let next = this.#waiting.peek();
    while (next && next.slots <= this.#free && !next.isNeeded()) {
      this.#waiting.shift();
      next.refuse();
      next = this.#waiting.peek();
    }
    if (!next || next.slots > this.#free) return;
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
