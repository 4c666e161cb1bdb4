import cluster from 'node:cluster';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type PrometheusContentType,
  Registry,
} from 'prom-client';
import type { Config } from '../config/config.ts';
import type { PoolCounts } from '../database/postgres/postgres-pool.ts';
import { version } from '../version.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of this process, which the primary can collect; undefined when METRICS is off. */
export function openMetrics(config: Pick<Config, 'metrics'>): Metrics | undefined {
  if (!config.metrics) return undefined;
  if (!cluster.isWorker) return createMetrics(new Registry());
  // The constructor registers the listener through which the primary collects.
  const registry = new AggregatorRegistry<PrometheusContentType>();
  AggregatorRegistry.setRegistries([registry]);
  return createMetrics(registry);
}

/** Call it in the primary. @returns a function that sums all workers' metrics; rejects after 5 s */
export function collectFromWorkers(): () => Promise<string> {
  const all = new AggregatorRegistry();
  return () => all.clusterMetrics();
}

/** Each app has its own registry, so that several can run in one process. */
function createMetrics(registry: Registry) {
  const registers = [registry];
  // Memory, event-loop delay, garbage collection, open handles.
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'tertulia_info',
    help: 'The version that serves.',
    labelNames: ['version'],
    registers,
    // All workers have the same value.
    aggregator: 'first',
  }).set({ version }, 1);
  return {
    /** All metrics in Prometheus' text format. */
    render: () => registry.metrics(),
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
      help: 'Complete uploads, by outcome: accepted, rejected or failed.',
      labelNames: ['outcome'],
      registers,
    }),
    sweptImages: new Counter({
      name: 'tertulia_swept_images_total',
      help: 'Unused images deleted.',
      registers,
    }),
    sweptBytes: new Counter({
      name: 'tertulia_swept_bytes_total',
      help: 'Bytes freed by deleting unused images.',
      registers,
    }),
    httpConnections: new Gauge({
      name: 'tertulia_http_connections',
      help: 'Open connections of clients.',
      registers,
    }),
    /** Registers a gauge of mails that wait to be sent. */
    watchMails(countWaiting: () => Promise<{ count: number }>): void {
      new Gauge({
        name: 'tertulia_mails_waiting',
        help: 'Mails that wait to be sent.',
        registers,
        // All workers have the same value.
        aggregator: 'max',
        async collect() {
          this.set((await countWaiting()).count);
        },
      });
    },
    /** Registers a gauge of the age of backups. */
    watchBackups(readLast: () => Promise<{ madeAt: string } | null>): void {
      new Gauge({
        name: 'tertulia_last_verified_backup_timestamp_seconds',
        help: 'Time of the newest complete, verified daily backup of this site in DATA_DIR; 0 when there is none.',
        registers,
        // All workers have the same value.
        aggregator: 'max',
        async collect() {
          this.set(Date.parse((await readLast())?.madeAt ?? '1970-01-01') / 1000);
        },
      });
    },
    /** Registers a gauge that reads the pool's counts whenever the metrics are rendered. */
    watchPool(pool: PoolCounts): void {
      new Gauge({
        name: 'tertulia_database_connections',
        help: 'Connections to PostgreSQL, and requests that wait for one.',
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
