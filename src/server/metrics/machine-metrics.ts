import { statfs } from 'node:fs/promises';
import { Gauge, Registry } from 'prom-client';
import { readLastBackup } from '../backups/last-backup.ts';
import type { Config } from '../config/config.ts';

/** Metrics of the machine and the site, which are the same for all workers and must not be summed. */
export function machineMetrics(config: Pick<Config, 'dataDir'>): Registry {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'tertulia_last_verified_backup_timestamp_seconds',
    help: 'Time of the newest verified backup in DATA_DIR; 0 when there is none.',
    registers,
    async collect() {
      this.set(Date.parse((await readLastBackup(config)) ?? '1970-01-01') / 1000);
    },
  });
  const disk = async () =>
    statfs(config.dataDir).catch(() => ({ bsize: Number.NaN, blocks: 0, bavail: 0 }));
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
  return registry;
}
