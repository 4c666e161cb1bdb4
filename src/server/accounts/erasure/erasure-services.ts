import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';

export interface ErasureServices {
  config: Pick<Config, 'dataDir'>;
  db: Database;
  transact: Transact;
  images: ImageStore;
  now: () => number;
}
