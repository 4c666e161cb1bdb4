import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Removes files and folders that a killed process left unfinished. Ignores errors, which must stop neither
 * a start nor a backup: both report a folder that they cannot use. Call it with the lock under which the
 * files are written, so that none is in use.
 */
export async function removeUnfinished(folder: string, names: RegExp): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!names.test(name)) continue;
    await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
}
