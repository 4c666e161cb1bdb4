import { mkdir, opendir, rm, stat } from 'node:fs/promises';
import type { Deps } from '../deps.ts';
import { uploadFolder } from './upload-folder.ts';

/** How long an unfinished upload waits for its next part. */
const graceMs = 24 * 3_600_000;

/** Removes uploads that nobody has gone on with for a day. @returns how many files went */
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
