import { mkdir, opendir, rm, stat } from 'node:fs/promises';
import type { Deps } from '../deps.ts';
import { uploadFolder } from './upload-folder.ts';

/** How long an unfinished upload waits for its next part. */
const graceMs = 24 * 3_600_000;

/**
 * Removes from this process's folder the uploads that nobody has gone on with for a day, and, with a
 * bucket, what a crash left there of complete ones. @returns how many files went
 */
export async function sweepUploads({ config, now }: Pick<Deps, 'config' | 'now'>): Promise<number> {
  const folder = uploadFolder(config);
  let removed = 0;
  await mkdir(folder, { recursive: true });
  for await (const { parentPath, name } of await opendir(folder)) {
    const file = `${parentPath}/${name}`;
    const found = await stat(file).catch(() => undefined);
    if (!found || found.mtimeMs > now() - graceMs) continue;
    await rm(file, { force: true });
    removed++;
  }
  return removed;
}

/** The same for the uploads that all processes share. @returns how many uploads went */
export async function sweepSharedUploads({
  config,
  uploads,
  now,
}: Pick<Deps, 'config' | 'uploads' | 'now'>): Promise<number> {
  // Every process sweeps the folder, so there is no need to load its store.
  if (!config.s3) return 0;
  const store = await uploads.store();
  return (await store.sweep?.(now() - graceMs)) ?? 0;
}
