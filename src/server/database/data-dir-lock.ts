import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process serves from this data folder. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another tertulia is already serving the data in ${dataDir}. Stop it, or set DATA_DIR.`);
  }
}

/**
 * Takes the data folder for this process. The lock is SQLite's own on a file of its own: the system
 * lets go of it however the process ends, so that nothing stale is ever left behind.
 * @throws DataDirInUse @returns a function that gives the folder back.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const lock = new DatabaseSync(path.join(dataDir, 'tertulia.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const busy = 5; // SQLITE_BUSY
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) {
      throw new DataDirInUse(dataDir);
    }
    throw error;
  }
  return () => lock.close();
}
