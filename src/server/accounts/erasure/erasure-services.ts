import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import type { LiveBus } from '../../live/bus/live-bus.ts';

export interface ErasureServices {
  config: Pick<Config, 'dataDir'>;
  db: Database;
  transact: Transact;
  live: LiveBus;
  images: ImageStore;
  now: () => number;
}
