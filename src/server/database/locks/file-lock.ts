import { DatabaseSync } from 'node:sqlite';

/**
 * Acquires a lock between processes of one machine: SQLite's exclusive lock on a separate file. The
 * operating system releases it however the process ends, so it cannot go stale.
 * @returns a function that releases it; undefined when it is held elsewhere
 */
export function tryFileLock(file: string): (() => void) | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const busy = 5; // SQLITE_BUSY
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined;
    throw error;
  }
  return () => lock.close();
}
