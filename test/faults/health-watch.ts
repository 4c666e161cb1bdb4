import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Asks a server for its health all the time, from a thread of its own, which a busy test does not hold up. */
export class HealthWatch {
  readonly #thread: Worker;

  constructor({ url, pid }: { url: string; pid: number }) {
    this.#thread = new Worker(new URL('./health-watch-thread.ts', import.meta.url), {
      workerData: { url, pid },
    });
  }

  /** @returns the longest that the server took for an answer, in milliseconds, and how many it gave */
  async stop(): Promise<{ slowestMs: number; answers: number }> {
    this.#thread.postMessage('stop');
    const [found] = await once(this.#thread, 'message');
    await this.#thread.terminate();
    return found as { slowestMs: number; answers: number };
  }
}
