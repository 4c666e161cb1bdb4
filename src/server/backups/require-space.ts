import { mkdir } from 'node:fs/promises';
import { OperatorError } from '../operator-error.ts';
import { usableBytes } from '../overload/disk-reserve.ts';

/**
 * Checks, before anything is written, that a disk has the space that a work needs, and still has the
 * reserve for comments afterwards.
 * @param folder is made when it is missing @param work for the message, such as "A backup"
 * @param measured bytes that may be used on that disk, where this user may not look into the folder
 */
export async function requireSpace(
  folder: string,
  bytes: number,
  work: string,
  measured?: number,
): Promise<void> {
  if (measured === undefined) await mkdir(folder, { recursive: true });
  const usable = Math.max(0, measured ?? (await usableBytes(folder)));
  if (usable >= bytes) return;
  throw new OperatorError(
    `${work} needs ${Math.ceil(bytes / 1e6)} MB on the disk of ${folder}, and ${Math.floor(usable / 1e6)} MB may be used there. Make space, for example by moving old backups away. Nothing was changed.`,
  );
}
