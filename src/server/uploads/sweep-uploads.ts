import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.ts';
import type { Uploads } from './open-uploads.ts';
import { uploadFolder } from './stores/upload-folder.ts';

/** How long an unfinished upload waits for its next part. */
const graceMs = 3_600_000;

/**
 * Removes from this process's folder the uploads without progress for an hour, and, with a
 * bucket, what a crash left there of complete ones. @returns how many files went
 */
export async function sweepUploads({
  config,
  now,
}: {
  config: Config;
  now: () => number;
}): Promise<number> {
  const folder = uploadFolder(config);
  await mkdir(folder, { recursive: true });
  // The info file is written once; the modification time of the bytes shows progress.
  const uploads = Object.groupBy(await readdir(folder), (name) => name.split('.', 1)[0] ?? '');
  let removed = 0;
  for (const names of Object.values(uploads)) {
    const files = names?.map((name) => path.join(folder, name)) ?? [];
    const times = await Promise.all(files.map(modifiedAtMs));
    // A time far ahead is from when the clock was wrong: the upload would count against its account
    // until then.
    if (times.some((time) => Math.abs(now() - time) < graceMs)) continue;
    await Promise.all(files.map((file) => rm(file, { force: true })));
    removed += files.length;
  }
  return removed;
}

/** The same for the uploads that all processes share. @returns how many uploads went */
export async function sweepSharedUploads({
  config,
  uploads,
  now,
}: {
  config: Pick<Config, 's3'>;
  uploads: Uploads;
  now: () => number;
}): Promise<number> {
  // Every process sweeps the folder, so there is no need to load its store.
  if (!config.s3) return 0;
  const store = await uploads.store();
  return (await store.sweep?.(now() - graceMs)) ?? 0;
}

/** 0 when the file was deleted meanwhile. */
async function modifiedAtMs(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
}
