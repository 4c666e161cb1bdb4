import { statfs } from 'node:fs/promises';
import { DiskFull } from '../uploads/stores/errors.ts';

/** Space that uploads leave for the database and its backups; on a small disk, a share of the disk. */
const reserve = { bytes: 500e6, share: 0.05 };

/**
 * Rejects an upload that would fill the disk, so that comments can still be stored.
 * @param folder a folder on the disk that would store the upload
 * @throws DiskFull
 */
export async function requireDiskSpace(folder: string, uploadBytes: number): Promise<void> {
  if ((await usableBytes(folder)) < uploadBytes) throw new DiskFull();
}

/** Returns the free bytes of a disk beyond the reserve; negative when the reserve is in use. */
export async function usableBytes(folder: string): Promise<number> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return bavail * bsize - Math.min(reserve.bytes, blocks * bsize * reserve.share);
}
