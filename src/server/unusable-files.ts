import { access, constants, stat } from 'node:fs/promises';

/**
 * Checks whether this user can read and write a file or folder of the data folder.
 * @param name within the data folder; with `/.` at its end it must be a folder
 * @returns the fault and its remedy, for the operator; undefined where there is none, or no such file
 */
export async function findFault(dataDir: string, name: string): Promise<string | undefined> {
  const file = `${dataDir}/${name}`.replace(/\/\.$/, '');
  try {
    await access(`${dataDir}/${name}`, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'EROFS') return `${file} is on a disk that is mounted read-only: mount it with rw`;
    if (code === 'ENOTDIR') return `${file} is a file and must be a folder: move it away`;
    const { uid } = await stat(dataDir);
    return `${file} is not writable: chown -R ${uid} ${dataDir}`;
  }
}
