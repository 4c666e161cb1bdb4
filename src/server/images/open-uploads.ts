import type { Config } from '../config.ts';
import { DiskUploadStore } from './disk-upload-store.ts';
import { PostgresUploadLocks } from './postgres-upload-locks.ts';
import { uploadFolder } from './upload-folder.ts';
import { UploadLocks } from './upload-locks.ts';
import type { UploadStore } from './upload-store.ts';

/** Uploads in progress: where they lie, and who may write to which. */
export interface Uploads {
  store: UploadStore;
  locker: UploadLocks;
  close: () => Promise<void>;
}

export async function openUploads(config: Config): Promise<Uploads> {
  const store = await openStore(config);
  const shared = config.databaseUrl ? new PostgresUploadLocks(config.databaseUrl) : undefined;
  return { store, locker: new UploadLocks(shared), close: async () => shared?.close() };
}

/** The bucket's client is large, and loaded only by those who have a bucket. */
async function openStore(config: Config): Promise<UploadStore> {
  const folder = uploadFolder(config);
  if (!config.s3) return new DiskUploadStore({ directory: folder });
  const { S3Bucket } = await import('./s3-bucket.ts');
  const { BucketUploadStore } = await import('./bucket-upload-store.ts');
  return new BucketUploadStore(new S3Bucket(config.s3, 'uploads/'), folder);
}
