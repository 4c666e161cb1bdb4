import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Removes files and folders that a killed process left unfinished, except those that this user may not
 * remove. Hold the lock under which they are written, so that none is in use.
 */
export async function removeUnfinished(folder: string, names: RegExp): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!names.test(name)) continue;
    await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
}
