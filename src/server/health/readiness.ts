import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { engineOf } from '../database/engine.ts';
import type { Database } from '../database/tables.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import type { LiveBus } from '../live/bus/live-bus.ts';

/** How long a result is used. Anybody can ask, and each check costs a bucket a request. */
const resultMs = 5000;
/** More than SQLite's log takes for a long comment with its index. */
const probeBytes = 1024 * 1024;

interface ReadinessServices {
  db: Database;
  images: ImageStore;
  live: LiveBus;
  config: Config;
}

/**
 * @returns a function that checks whether the site can serve and take writes. All callers share one check, at most
 * every five seconds. It rejects with the reason why the site is not ready.
 */
export function readinessCheck(services: ReadinessServices): () => Promise<void> {
  let checking: Promise<void> | undefined;
  return () => {
    checking ??= check(services).finally(() => {
      setTimeout(() => {
        checking = undefined;
      }, resultMs).unref();
    });
    return checking;
  };
}

async function check({ db, images, live, config }: ReadinessServices): Promise<void> {
  const engine = engineOf(db);
  const usesFolder = engine.isFile || !config.s3;
  await Promise.all([
    engine.requireWritable(db),
    live.ready(),
    images.check(),
    usesFolder && requireRoom(config),
  ]);
}

/** Writes a file and deletes it: nothing else notices that a disk is full, over its quota or read-only. */
async function requireRoom({ dataDir }: Config): Promise<void> {
  const file = path.join(dataDir, 'ready-check');
  try {
    await writeFile(file, Buffer.alloc(probeBytes));
  } finally {
    await rm(file, { force: true });
  }
}
