import { FairQueue } from './fair-queue.ts';

/**
 * Spreads short work over turns of the event loop, a few pieces in each, keys in rotation. Node accepts one
 * connection in a turn: if a turn lasted as long as the work of all connections that are ready, a new
 * visitor would wait for all of it, once for each connection that was opened before.
 */
export class TurnLimit {
  readonly #perTurn: number;
  readonly #waiting = new FairQueue<() => void>();
  #started = 0;
  #isScheduled = false;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /** Calls `start` at once, or in a later turn when this one is full. @param key an `addressKey` */
  run(key: string, start: () => void): void {
    if (!this.#isScheduled) this.#schedule();
    if (this.#started >= this.#perTurn) {
      this.#waiting.push(key, start);
      return;
    }
    this.#started++;
    start();
  }

  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      this.#started = 0;
      while (this.#started < this.#perTurn) {
        const start = this.#waiting.shift();
        if (!start) break;
        this.#started++;
        start();
      }
      this.#isScheduled = false;
      if (this.#started > 0) this.#schedule();
    });
  }
}
