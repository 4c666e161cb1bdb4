import { lstatSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { describeUser, nameOfUser, userName } from './user-name.ts';

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
    return describeDenied(dataDir, file);
  }
}

/** Names the owner of a file in the data folder that this user may not open, and what root types to mend it. */
export function describeDenied(dataDir: string, file: string): string {
  const { uid } = statSync(dataDir);
  const owner = nameOfUser(uid) ?? uid;
  return `${describeOwner(file)}. As root: chown -R ${owner}: ${dataDir} && chmod -R u+rwX ${dataDir}`;
}

/** Names the owner of a file that this user may not open, or of the nearest folder above it that can be seen. */
export function describeOwner(file: string): string {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found)
      return `${file} belongs to ${describeUser(found.uid)}, and the user ${userName()} may not open it`;
  } catch {
    // A folder above it may not be entered.
  }
  return describeOwner(path.dirname(file));
}
