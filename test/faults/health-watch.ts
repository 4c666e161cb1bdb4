import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Requests `/healthz` continuously from a separate thread, so that a busy test does not delay it. */
export class HealthWatch {
  readonly #thread: Worker;

  constructor({ url, pid }: { url: string; pid: number }) {
    this.#thread = new Worker(new URL('./health-watch-thread.ts', import.meta.url), {
      workerData: { url, pid },
    });
  }

  /** @returns the longest response time in milliseconds, and the number of responses */
  async stop(): Promise<{ slowestMs: number; responses: number }> {
    this.#thread.postMessage('stop');
    const [found] = await once(this.#thread, 'message');
    await this.#thread.terminate();
    return found as { slowestMs: number; responses: number };
  }
}
