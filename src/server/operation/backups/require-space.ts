import { mkdir } from 'node:fs/promises';
import { usableBytes } from '../../system/disk-reserve.ts';
import { OperatorError } from '../../system/operator-error.ts';

/**
 * Checks that a disk has space for a task in addition to the reserve (disk-reserve.ts).
 * @param folder created when missing @param work subject of the message, such as "A backup"
 */
export async function requireSpace(folder: string, bytes: number, work: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const usable = Math.max(0, await usableBytes(folder));
  if (usable >= bytes) return;
  throw new OperatorError(
    `${work} needs ${Math.ceil(bytes / 1e6)} MB on the disk of ${folder}, and ${Math.floor(usable / 1e6)} MB may be used there. Make space, for example by moving old backups away. Nothing was changed.`,
  );
}
