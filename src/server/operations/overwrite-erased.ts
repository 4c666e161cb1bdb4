import { stat } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { sqliteFile } from '../config/data-dir.ts';
import { isPostgres } from '../database/is-postgres.ts';
import {
  emptyLog,
  readFileVersion,
  vacuum,
  vacuumDue,
  writeFileVersion,
} from '../database/sqlite/vacuum.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { mergeWords } from '../search/index/index-rows.ts';

const intervalMs = 12 * 3_600_000;

/**
 * A larger file is vacuumed only when that was requested: writes wait meanwhile, about a second for
 * 100 MB, and fail after 3 s.
 */
const maxBytes = 100_000_000;

/**
 * Overwrites erased content in the SQLite file and its write-ahead log, twice a day, and at once when a
 * vacuum was requested. `secure_delete` overwrites deleted rows, but not the copies that SQLite leaves
 * when it moves rows between pages, nor words in the search index. Does nothing on PostgreSQL.
 */
export async function overwriteErased({
  config: { dataDir },
  db,
  transact,
  now,
}: {
  config: Pick<Config, 'dataDir'>;
  db: Database;
  transact: Transact;
  now: () => number;
}): Promise<void> {
  if (isPostgres(db)) return;
  const interval = Math.floor(now() / intervalMs);
  const version = await readFileVersion(db);
  if (version === interval) return;
  await mergeWords(transact);
  const { size } = await stat(sqliteFile(dataDir));
  const isVacuumed = version === vacuumDue || size <= maxBytes;
  await (isVacuumed ? vacuum(dataDir) : emptyLog(dataDir));
  await writeFileVersion(db, interval);
}
