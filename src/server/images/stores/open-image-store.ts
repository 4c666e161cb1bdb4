import path from 'node:path';
import type { Config } from '../../system/settings/config.ts';
import { DiskImageStore } from './disk-image-store.ts';
import type { ImageStore } from './image-store.ts';

/**
 * Opens the bucket when one is configured, otherwise the folder of images. The S3 client is large, so
 * it is loaded only for a bucket.
 */
export async function openImageStore({
  s3,
  dataDir,
}: Pick<Config, 's3' | 'dataDir'>): Promise<ImageStore> {
  if (!s3) return new DiskImageStore(path.join(dataDir, 'images'));
  const { S3ImageStore } = await import('./s3-image-store.ts');
  return new S3ImageStore(s3);
}
