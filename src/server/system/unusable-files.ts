import { lstatSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { describeUser, nameOfUser, userName } from './user-name.ts';

/**
 * Checks whether this user can read and write a file or folder of the data folder.
 * @param name within the data folder; with `/.` at its end it must be a folder
 * @returns the fault and its remedy, for the operator; undefined without a fault, and for a missing file
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

/** Says who owns a file in the data folder that this user may not open, and which command fixes it as root. */
export function describeDenied(dataDir: string, file: string): string {
  const { uid } = statSync(dataDir);
  const owner = nameOfUser(uid) ?? uid;
  return `${describeOwner(file)}. As root: chown -R ${owner}: ${dataDir} && chmod -R u+rwX ${dataDir}`;
}

/** Says who owns a file that this user may not open, or the nearest accessible folder above it. */
export function describeOwner(file: string): string {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found)
      return `${file} belongs to ${describeUser(found.uid)}, and the user ${userName()} may not open it`;
  } catch {
    // A folder above the file may not be entered by this user.
  }
  return describeOwner(path.dirname(file));
}
