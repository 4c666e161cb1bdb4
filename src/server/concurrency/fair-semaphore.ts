interface Waiting {
  slots: number;
  start: () => void;
}

/**
 * Limits how much work runs at once. Callers that wait take slots in rotation, so that one with a
 * thousand requests delays another by one of them only. In one turn of the event loop one piece of work
 * starts: on SQLite it may run to its end without waiting for anything. Counts within one process.
 */
export class FairSemaphore {
  #free: number;
  readonly #maxWaitingPerKey: number;
  readonly #fullError: () => Error;
  /** Waiting work by caller, in the order of rotation. */
  readonly #queues = new Map<string, Waiting[]>();
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
    const queue = this.#queues.get(key) ?? [];
    if (queue.length >= this.#maxWaitingPerKey) throw this.#fullError();
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push({ slots, start: resolve });
    this.#queues.set(key, queue);
    this.#startNext();
    return promise;
  }

  #startNext(): void {
    const [first] = this.#queues;
    if (this.#isStarting || !first) return;
    const [key, queue] = first;
    const next = queue[0];
    if (!next || next.slots > this.#free) return;
    queue.shift();
    // Move the caller to the end of the rotation.
    this.#queues.delete(key);
    if (queue.length > 0) this.#queues.set(key, queue);
    this.#free -= next.slots;
    this.#isStarting = true;
    // Yield to the event loop before the work starts.
    setImmediate(() => {
      this.#isStarting = false;
      next.start();
      this.#startNext();
    });
  }
}
