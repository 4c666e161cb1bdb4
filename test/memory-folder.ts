import { spawn } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';

const inMemory = '/dev/shm';

/**
 * A folder in memory, or the system's temporary folder where memory has no room. On a disk, each transaction of
 * SQLite waits for it.
 * @param neededBytes for all files at once
 */
export function memoryFolder(neededBytes: number): string {
  return hasRoom(neededBytes) ? inMemory : tmpdir();
}

/** False on systems without the folder, in containers, where it has 64 MB, and on machines with little memory. */
function hasRoom(neededBytes: number): boolean {
  if (!existsSync(inMemory)) return false;
  const { bavail, bsize } = statfsSync(inMemory);
  return Math.min(bavail * bsize, process.availableMemory() / 2) >= neededBytes;
}

/**
 * Removes the folder when this process has ended, even by SIGKILL. A PostgreSQL server that still runs there notices
 * within a minute that its lock file is missing, and ends.
 */
export function removeAtEnd(folder: string): void {
  // `cat` reads from a pipe that the system closes with this process.
  const waiting = spawn('sh', ['-c', 'cat; exec rm -rf "$0"', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  waiting.unref();
  (waiting.stdin as Socket).unref();
}
