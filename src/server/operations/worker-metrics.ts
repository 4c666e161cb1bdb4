import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type PrometheusContentType } from 'prom-client';
import { unavailableError } from '../http/api-error.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** A worker asks the primary for the numbers of all; the answer brings them, unless one was silent. */
type Message = { tertulia: 'ask' } | { tertulia: 'answer'; text: string | undefined };

/** In the primary: asks every worker for its numbers, sums them, and tells the one that asked. */
export function answerForAllWorkers(): void {
  const all = new AggregatorRegistry();
  cluster.on('message', async (worker, message: Message) => {
    if (message.tertulia !== 'ask') return;
    const text = await all.clusterMetrics().catch(() => undefined);
    if (worker.isConnected()) worker.send({ tertulia: 'answer', text } satisfies Message);
  });
}

/** In a worker: counts for itself, and shows what all have counted. */
export function metricsOfAllWorkers(worker: Worker): Metrics {
  // Making it is what lets the primary ask for it.
  const registry = new AggregatorRegistry<PrometheusContentType>();
  AggregatorRegistry.setRegistries([registry]);
  let asking: ((text: string | undefined) => void)[] = [];
  worker.on('message', (message: Message) => {
    if (message.tertulia !== 'answer') return;
    for (const tell of asking) tell(message.text);
    asking = [];
  });
  return {
    ...createMetrics(registry),
    render: async () => {
      const text = await new Promise<string | undefined>((resolve) => {
        asking.push(resolve);
        worker.send({ tertulia: 'ask' } satisfies Message);
      });
      if (text === undefined) throw unavailableError();
      return text;
    },
  };
}
