import { DatabaseSync } from 'node:sqlite';

/**
 * Takes a lock between the processes of this machine. It is SQLite's own, on a file of its own: the
 * system lets go of it however the process ends, so that nothing stale is ever left behind.
 * @returns a function that gives it back; undefined when another process or caller has it
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
