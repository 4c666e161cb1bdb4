import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LiveBus } from '../../database/bus/live-bus.ts';
import { engineOf } from '../../database/engine.ts';
import type { Database } from '../../database/tables.ts';
import type { Fault, HealthChecks } from '../../http/health-routes.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import { usableBytes } from '../../system/disk-reserve.ts';
import { requireProgram } from '../../system/installation.ts';
import type { Config } from '../../system/settings/config.ts';
import { readLastBackup } from '../backups/last-backup.ts';

/** More than a long comment with its index entries takes in SQLite's write-ahead log. */
const probeBytes = 1024 * 1024;
/** Long enough for hourly retries of a missed daily backup. */
const overdueAfterMs = 2 * 24 * 3_600_000;
/** A new site's first backup is made within an hour of the start. */
const firstBackupMs = 2 * 3_600_000;
const startedAtMs = Date.now() - performance.now();

interface HealthServices {
  db: Database;
  images: ImageStore;
  live: LiveBus;
  config: Config;
  siteIdentity: string;
  now: () => number;
}

export function healthOf(services: HealthServices): HealthChecks {
  return {
    findFaults: () => checkAll(services),
    readLastBackup: () => readLastBackup(services),
  };
}

/** Checks all parts of the site, including those that pages are served without. @returns an empty list when all is well */
export async function checkAll(services: HealthServices): Promise<Fault[]> {
  const checks: [Fault['part'], () => Promise<unknown>][] = [
    ['program', requireProgram],
    ['database', () => engineOf(services.db).requireWritable(services.db)],
    ['database', () => services.live.ready()],
    ['images', () => services.images.check()],
    ['disk', () => requireRoom(services.config)],
    ['backup', () => requireBackup(services)],
  ];
  const results = await Promise.all(
    checks.map(([part, check]) =>
      check().then(
        () => [],
        (cause: unknown) => [{ part, cause }],
      ),
    ),
  );
  return results.flat();
}

/** Writes a file and deletes it, because only a write reveals an exceeded quota or a read-only disk. */
export async function requireRoom({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  const file = path.join(dataDir, 'ready-check');
  try {
    await writeFile(file, Buffer.alloc(probeBytes));
  } finally {
    await rm(file, { force: true });
  }
  if ((await usableBytes(dataDir)) < 0) {
    throw new Error('the disk of DATA_DIR is nearly full: uploads are refused');
  }
}

/** @throws when BACKUP_KEEP asks for daily backups, and the last complete one is too old */
async function requireBackup(services: HealthServices): Promise<void> {
  const { config, now } = services;
  if (config.backupKeep === 0) return;
  const last = await readLastBackup(services);
  const dueAtMs = last ? Date.parse(last.madeAt) + overdueAfterMs : startedAtMs + firstBackupMs;
  if (now() > dueAtMs) {
    throw new Error(`the last complete daily backup is of ${last?.madeAt ?? 'no day at all'}`);
  }
}
