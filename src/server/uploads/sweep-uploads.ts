import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { unlessMissing } from '../missing.ts';
import type { Uploads } from './open-uploads.ts';
import { uploadFolder } from './stores/upload-folder.ts';

/** How long an unfinished upload is stored without progress. */
const graceMs = 3_600_000;

interface SweepServices {
  config: Pick<Config, 's3' | 'dataDir'>;
  now: () => number;
}

/**
 * Removes from this process's folder the uploads without progress for an hour and, with a bucket,
 * temporary files that a crash left. @returns the number of removed files
 */
export async function sweepUploads({ config, now }: SweepServices): Promise<number> {
  const folder = uploadFolder(config);
  await mkdir(folder, { recursive: true });
  const uploads = Object.groupBy(await readdir(folder), (name) => name.split('.', 1)[0] ?? '');
  let removed = 0;
  for (const names of Object.values(uploads)) {
    const files = names?.map((name) => path.join(folder, name)) ?? [];
    const times = await Promise.all(files.map(modifiedAtMs));
    // Also removes files dated far in the future by a wrong clock, which would count against the
    // account's quota until then.
    if (times.some((time) => Math.abs(now() - time) < graceMs)) continue;
    await Promise.all(files.map((file) => rm(file, { force: true })));
    removed += files.length;
  }
  return removed;
}

/** Removes uploads without progress for an hour from the bucket. @returns how many */
export async function sweepSharedUploads({
  config,
  uploads,
  now,
}: SweepServices & { uploads: Uploads }): Promise<number> {
  if (!config.s3) return 0;
  const store = await uploads.store();
  return (await store.sweep?.(now() - graceMs)) ?? 0;
}

/** 0 when the file was removed meanwhile. */
async function modifiedAtMs(file: string): Promise<number> {
  return (await unlessMissing(stat(file)))?.mtimeMs ?? 0;
}
