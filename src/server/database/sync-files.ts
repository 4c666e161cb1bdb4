import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';

/** Gives a file, synced before, its name, durably: after a power cut it has the old or the new one. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await sync(path.dirname(to));
}

/** Has the system write a file or a folder's list of names to the disk. */
export async function sync(place: string): Promise<void> {
  const handle = await open(place, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
