import type { Config } from '../config/config.ts';
import type { Database } from '../database/tables.ts';
import { openOnce } from '../open-once.ts';
import { UploadLocks } from './locks/upload-locks.ts';
import { uploadFolder } from './stores/upload-folder.ts';
import type { UploadStore } from './stores/upload-store.ts';

/** The store and the locks of unfinished uploads. */
export interface Uploads {
  /** Opened on first use, because its modules are large. */
  store: () => Promise<UploadStore>;
  locker: UploadLocks;
  close: () => Promise<void>;
}

export async function openUploads(config: Config, db: Database): Promise<Uploads> {
  const shared = config.databaseUrl ? await openSharedLocks(config.databaseUrl, db) : undefined;
  return {
    store: openOnce(() => openStore(config)),
    locker: new UploadLocks(shared),
    close: async () => shared?.close(),
  };
}

async function openSharedLocks(databaseUrl: string, db: Database) {
  const { PostgresUploadLocks } = await import('./locks/postgres-upload-locks.ts');
  return new PostgresUploadLocks(databaseUrl, db);
}

async function openStore(config: Config): Promise<UploadStore> {
  const folder = uploadFolder(config);
  if (!config.s3) {
    const { DiskUploadStore } = await import('./stores/disk-upload-store.ts');
    return DiskUploadStore.open(folder);
  }
  const { S3Bucket } = await import('../images/stores/s3-bucket.ts');
  const { BucketUploadStore } = await import('./stores/bucket-upload-store.ts');
  return new BucketUploadStore(new S3Bucket(config.s3, 'uploads/'), folder);
}
