import { statfs } from 'node:fs/promises';
import { Gauge, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';

/** Metrics of the machine, which are the same for all workers and must not be summed. */
export function machineMetrics(config: Pick<Config, 'dataDir'>): Registry {
  const registry = new Registry();
  const registers = [registry];
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
