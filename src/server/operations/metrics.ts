import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolCounts } from '../database/postgres/postgres-pool.ts';

/** The server's metrics, with Prometheus naming and units. */
export interface Metrics {
  /** All metrics in Prometheus' text format. */
  render(): Promise<string>;
  readonly contentType: string;
  requests: Histogram<'method' | 'route' | 'status'>;
  liveReaders: Gauge;
  uploads: Counter<'outcome'>;
  sweptImages: Counter;
  sweptBytes: Counter;
  httpConnections: Gauge;
  /** Registers a gauge that reads the pool's counts whenever the metrics are rendered. */
  watchPool(pool: PoolCounts): void;
}

/** Each app has its own registry, so that several can run in one process. */
export function createMetrics(registry = new Registry()): Metrics {
  const registers = [registry];
  // Memory, event-loop delay, garbage collection, open handles.
  collectDefaultMetrics({ register: registry });
  return {
    render: () => registry.metrics(),
    contentType: registry.contentType,
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer, by route.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    liveReaders: new Gauge({
      name: 'tertulia_live_readers',
      help: 'Open streams of live comments.',
      registers,
    }),
    uploads: new Counter({
      name: 'tertulia_uploads_total',
      help: 'Complete uploads, by what became of them.',
      labelNames: ['outcome'],
      registers,
    }),
    sweptImages: new Counter({
      name: 'tertulia_swept_images_total',
      help: 'Images cleared away because nobody showed them.',
      registers,
    }),
    sweptBytes: new Counter({
      name: 'tertulia_swept_bytes_total',
      help: 'Bytes freed by clearing images away.',
      registers,
    }),
    httpConnections: new Gauge({
      name: 'tertulia_http_connections',
      help: 'Open connections of callers.',
      registers,
    }),
    watchPool: (pool) => {
      new Gauge({
        name: 'tertulia_database_connections',
        help: 'Connections to PostgreSQL, and callers who wait for one.',
        labelNames: ['state'],
        registers,
        collect() {
          this.set({ state: 'total' }, pool.totalCount);
          this.set({ state: 'idle' }, pool.idleCount);
          this.set({ state: 'waiting' }, pool.waitingCount);
        },
      });
    },
  };
}
