import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';

export interface ErasureServices {
  /** Folder of this machine's ledger of erasures. */
  ledgerFolder: string;
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}
