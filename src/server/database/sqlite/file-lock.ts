import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { InUse } from '../../system/operator-error.ts';
import { isBusy } from '../errors.ts';

/** Another process serves from this data folder or restores a backup into it. */
class DataDirInUse extends InUse {
  constructor(dataDir: string) {
    super(
      `Another tertulia works on the data in ${dataDir}: a server or a restore. Stop the server or wait for the restore, or set DATA_DIR.`,
    );
  }
}

/**
 * Locks the data folder for this process.
 * @throws DataDirInUse
 * @returns a function that unlocks it
 */
export function lockDataDir(dataDir: string): () => void {
  const unlock = tryFileLock(dataDir, 'tertulia.lock');
  if (!unlock) throw new DataDirInUse(dataDir);
  return unlock;
}

/** Whether another process serves from this data folder or restores a backup into it. */
export function isInUse(dataDir: string): boolean {
  const unlock = tryFileLock(dataDir, 'tertulia.lock');
  unlock?.();
  return !unlock;
}

/**
 * Acquires a lock between processes of one machine: SQLite's exclusive lock on a file in the data
 * folder. The operating system releases it however the process ends, so it cannot go stale.
 * @returns a function that releases it; undefined when another process holds it
 */
export function tryFileLock(dataDir: string, name: string): (() => void) | undefined {
  mkdirSync(dataDir, { recursive: true });
  const lock = new DatabaseSync(path.join(dataDir, name), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return () => lock.close();
}
