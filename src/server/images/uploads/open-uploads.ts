import { openOnce } from '../../system/open-once.ts';
import type { Config } from '../../system/settings/config.ts';
import { uploadFolder } from './upload-folder.ts';
import { UploadLocks } from './upload-locks.ts';
import type { UploadStore } from './upload-store.ts';

/** The store and the locks of unfinished uploads. */
export interface Uploads {
  /** Opened on first use, because its modules are large. */
  store: () => Promise<UploadStore>;
  locker: UploadLocks;
}

export function openUploads(config: Pick<Config, 'dataDir'>): Uploads {
  return {
    store: openOnce(async () => {
      const { UploadStore } = await import('./upload-store.ts');
      return UploadStore.open(uploadFolder(config));
    }),
    locker: new UploadLocks(),
  };
}
