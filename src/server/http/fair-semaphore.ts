interface Waiting {
  places: number;
  start: () => void;
}

/**
 * Shares a number of places among callers. When they are taken, those who wait have their turns
 * caller by caller, so that a caller with a thousand requests delays another by one of them only.
 * Counts within one process.
 */
export class FairSemaphore {
  #free: number;
  readonly #mostWaiting: number;
  readonly #refuse: () => Error;
  /** Of each caller that waits; whose turn is next comes first. */
  readonly #queues = new Map<string, Waiting[]>();

  /**
   * @param mostWaiting how much of one caller's may wait
   * @param refuse what further work of that caller throws
   */
  constructor(places: number, mostWaiting: number, refuse: () => Error) {
    this.#free = places;
    this.#mostWaiting = mostWaiting;
    this.#refuse = refuse;
  }

  /**
   * @param key an account's id or an `addressKey`
   * @param places that the work takes, at most as many as there are
   * @throws what `refuse` makes, or what the work throws
   */
  async run<T>(key: string, work: () => Promise<T> | T, places = 1): Promise<T> {
    await this.#turn(key, places);
    try {
      return await work();
    } finally {
      this.#free += places;
      this.#startNext();
    }
  }

  #turn(key: string, places: number): Promise<void> {
    const queue = this.#queues.get(key) ?? [];
    if (queue.length >= this.#mostWaiting) throw this.#refuse();
    const { promise, resolve } = Promise.withResolvers<void>();
    // In the next turn of the event loop, so that other events are handled in between.
    queue.push({ places, start: () => setImmediate(resolve) });
    this.#queues.set(key, queue);
    this.#startNext();
    return promise;
  }

  #startNext(): void {
    for (const [key, queue] of this.#queues) {
      const next = queue[0];
      if (!next || next.places > this.#free) return;
      queue.shift();
      // To the end of the line.
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
      this.#free -= next.places;
      next.start();
    }
  }
}
