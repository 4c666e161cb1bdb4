import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

interface Health {
  /** Longest time of a request, also of one that failed. */
  slowestMs: number;
  /** Number of responses with status 200. */
  responses: number;
  failed: number;
}

/** Requests `/healthz` continuously from a separate thread, so that a busy test does not delay it. */
export class HealthWatch {
  readonly #thread: Worker;

  constructor({ url, pid }: { url: string; pid: number }) {
    this.#thread = new Worker(new URL('./health-watch-thread.ts', import.meta.url), {
      workerData: { url, pid },
    });
  }

  async stop(): Promise<Health> {
    this.#thread.postMessage('stop');
    const [found] = await once(this.#thread, 'message');
    await this.#thread.terminate();
    return found as Health;
  }
}
