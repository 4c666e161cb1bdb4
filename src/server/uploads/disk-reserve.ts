import { statfs } from 'node:fs/promises';
import { ApiError } from '../http/api-error.ts';

/** Room that uploads leave to the database and its backups: this much, or this share of a small disk. */
const reserve = { bytes: 500e6, share: 0.05 };

/**
 * Refuses an upload that would fill the disk, so that people can still comment.
 * @param folder on the disk that the upload goes to
 * @throws ApiError `storage_full`
 */
export async function requireDiskSpace(folder: string, uploadBytes: number): Promise<void> {
  const { bsize, bavail, blocks } = await statfs(folder);
  const reserved = Math.min(reserve.bytes, blocks * bsize * reserve.share);
  if (bavail * bsize - uploadBytes >= reserved) return;
  throw new ApiError('storage_full', { headers: { 'retry-after': '60' } });
}
