import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { unavailableError } from '../http/api-error.ts';

/** A worker asks the primary for the metrics of all workers; `text` is undefined if one did not respond. */
type Message = { tertulia: 'ask' } | { tertulia: 'answer'; text: string | undefined };

/** In the primary: collects and sums the metrics of all workers for the worker that asks. */
export function serveWorkerMetrics(): void {
  const all = new AggregatorRegistry();
  cluster.on('message', async (worker, message: Message) => {
    if (message.tertulia !== 'ask') return;
    const text = await all.clusterMetrics().catch(() => undefined);
    if (worker.isConnected()) worker.send({ tertulia: 'answer', text } satisfies Message);
  });
}

/**
 * In a worker: a function that asks the primary for the sum over all workers.
 * It throws ApiError `unavailable` when a worker did not respond.
 */
export function renderAllWorkers(worker: Worker): () => Promise<string> {
  let waiting: ((text: string | undefined) => void)[] = [];
  worker.on('message', (message: Message) => {
    if (message.tertulia !== 'answer') return;
    for (const resolve of waiting) resolve(message.text);
    waiting = [];
  });
  return async () => {
    const text = await new Promise<string | undefined>((resolve) => {
      waiting.push(resolve);
      worker.send({ tertulia: 'ask' } satisfies Message);
    });
    if (text === undefined) throw unavailableError();
    return text;
  };
}
