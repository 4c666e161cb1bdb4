import { statfs } from 'node:fs/promises';

/** Space that uploads leave for the database and its backups: these bytes, or on a small disk this share of the disk. */
export const reserve = { bytes: 500e6, share: 0.05 };

/** Returns the free bytes of a disk beyond the reserve; negative when the reserve is in use. */
export async function usableBytes(folder: string): Promise<number> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return bavail * bsize - Math.min(reserve.bytes, blocks * bsize * reserve.share);
}

/** @returns the free bytes of a disk that has less than twice the reserve; undefined when it has more */
export async function freeWhenNearlyFull(folder: string): Promise<number | undefined> {
  const { bsize, bavail, blocks } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const reserved = Math.min(reserve.bytes, blocks * bsize * reserve.share);
  return freeBytes < 2 * reserved ? freeBytes : undefined;
}
