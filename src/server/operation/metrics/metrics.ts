import { statfs } from 'node:fs/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolCounts } from '../../database/postgres/postgres-pool.ts';
import type { Config } from '../../system/settings/config.ts';
import { buildName } from '../../system/version.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** @returns undefined when METRICS is off */
export function openMetrics(config: Pick<Config, 'metrics' | 'dataDir'>): Metrics | undefined {
  return config.metrics && createMetrics(config);
}

/** Creates a registry of its own, so that several apps can run in one process. */
function createMetrics({ dataDir }: Pick<Config, 'dataDir'>) {
  const registry = new Registry();
  const registers = [registry];
  // Memory, event-loop delay, garbage collection, open handles.
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'tertulia_info',
    help: 'The build that serves.',
    labelNames: ['version'],
    registers,
  }).set({ version: buildName() }, 1);
  const disk = async () =>
    statfs(dataDir).catch(() => ({ bsize: Number.NaN, blocks: 0, bavail: 0 }));
  new Gauge({
    name: 'tertulia_disk_size_bytes',
    help: 'Size of the disk with DATA_DIR; NaN when it does not respond.',
    registers,
    async collect() {
      const { bsize, blocks } = await disk();
      this.set(bsize * blocks);
    },
  });
  new Gauge({
    name: 'tertulia_disk_free_bytes',
    help: 'Space that tertulia can still use on the disk with DATA_DIR; NaN when it does not respond.',
    registers,
    async collect() {
      const { bsize, bavail } = await disk();
      this.set(bsize * bavail);
    },
  });
  return {
    /** All metrics in Prometheus' text format. */
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
    /** Registers a gauge of mails waiting to be sent. */
    watchMails(countWaiting: () => Promise<{ count: number }>): void {
      new Gauge({
        name: 'tertulia_mails_waiting',
        help: 'Mails that wait to be sent.',
        registers,
        async collect() {
          this.set((await countWaiting()).count);
        },
      });
    },
    /** Registers a gauge of the time of the last backup. */
    watchBackups(readLast: () => Promise<{ madeAt: string } | null>): void {
      new Gauge({
        name: 'tertulia_last_verified_backup_timestamp_seconds',
        help: 'Time of the newest complete, verified daily backup of this site in DATA_DIR; 0 when there is none.',
        registers,
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
