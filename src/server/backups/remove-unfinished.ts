import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Removes files and folders that a killed process left half done. Hold the lock under which they are
 * written, so that none is in use.
 */
export async function removeUnfinished(folder: string, names: RegExp): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (names.test(name)) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}
