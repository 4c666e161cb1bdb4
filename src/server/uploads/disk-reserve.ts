import { statfs } from 'node:fs/promises';
import { DiskFull } from './errors.ts';

/** Space that uploads leave for the database and its backups; on a small disk a share of it. */
const reserve = { bytes: 500e6, share: 0.05 };

/**
 * Rejects an upload that would fill the disk, so that comments can still be stored.
 * @param folder on the disk that would store the upload
 * @throws DiskFull
 */
export async function requireDiskSpace(folder: string, uploadBytes: number): Promise<void> {
  const { bsize, bavail, blocks } = await statfs(folder);
  const reserved = Math.min(reserve.bytes, blocks * bsize * reserve.share);
  if (bavail * bsize - uploadBytes >= reserved) return;
  throw new DiskFull();
}
