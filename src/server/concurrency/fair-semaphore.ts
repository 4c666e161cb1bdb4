interface Waiting {
  slots: number;
  start: () => void;
}

/**
 * Limits how much work runs at once. Callers that wait take slots in rotation, so that one with a
 * thousand requests delays another by one of them only. Counts within one process.
 */
export class FairSemaphore {
  #free: number;
  readonly #maxWaitingPerKey: number;
  readonly #fullError: () => Error;
  /** Waiting work by caller, in the order of rotation. */
  readonly #queues = new Map<string, Waiting[]>();

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
    const queue = this.#queues.get(key) ?? [];
    if (queue.length >= this.#maxWaitingPerKey) throw this.#fullError();
    const { promise, resolve } = Promise.withResolvers<void>();
    // Yield to the event loop before the work starts.
    queue.push({ slots, start: () => setImmediate(resolve) });
    this.#queues.set(key, queue);
    this.#startNext();
    return promise;
  }

  #startNext(): void {
    for (const [key, queue] of this.#queues) {
      const next = queue[0];
      if (!next || next.slots > this.#free) return;
      queue.shift();
      // Move the caller to the end of the rotation.
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
      this.#free -= next.slots;
      next.start();
    }
  }
}
