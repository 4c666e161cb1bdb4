import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a file that is complete and on disk as soon as it exists.
 * @param part name of the file while `write` makes it; removed when that fails
 */
export async function writeDurably(
  file: string,
  part: string,
  write: (part: string) => Promise<unknown>,
): Promise<void> {
  try {
    await write(part);
    await sync(part);
    await renameDurably(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Renames a file durably. The caller has synced its contents; a power cut leaves either name. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await sync(path.dirname(to));
}

export async function sync(fileOrFolder: string): Promise<void> {
  const handle = await open(fileOrFolder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
