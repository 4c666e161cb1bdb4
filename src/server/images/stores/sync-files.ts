import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';

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
