import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a file so that, whenever it exists, it is complete and on disk.
 * @param part name of the file while `write` writes it; removed on failure
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

/** Renames a file durably. Sync its contents before. A power cut leaves one of the two names. */
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
