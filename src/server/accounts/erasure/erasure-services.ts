import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';

export interface ErasureServices {
  config: Pick<Config, 'dataDir'>;
  db: Database;
  transact: Transact;
  now: () => number;
}
