import path from 'node:path';
import type { Config } from '../../config.ts';
import { DiskImageStore } from './disk-image-store.ts';
import type { ImageStore } from './image-store.ts';

/**
 * The bucket's client is large, and loaded only by those who have a bucket.
 * @param noStatementTimeout gives each call a minute: nobody waits for an answer
 */
export async function openImageStore(
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  noStatementTimeout = false,
): Promise<ImageStore> {
  if (!s3) return new DiskImageStore(path.join(dataDir, 'images'));
  const { S3ImageStore } = await import('./s3-image-store.ts');
  return new S3ImageStore(s3, noStatementTimeout ? { callMs: 60_000 } : {});
}
