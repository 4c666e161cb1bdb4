import { eraseDueAccounts } from './accounts/erasure/erase-account.ts';
import type { ErasureServices } from './accounts/erasure/erasure-services.ts';
import { type Erasure, readLocalLedger } from './backups/erasure-ledger.ts';
import { markListed, postponeDeletions } from './backups/mark-erased.ts';
import { upgrade } from './backups/upgrade.ts';
import type { Config } from './config/config.ts';
import { openDatabase } from './database/database.ts';
import { isPostgres } from './database/is-postgres.ts';
import { withoutRestore } from './database/locks/advisory-lock.ts';
import { lockDataDir } from './database/locks/file-lock.ts';
import { migrate, readMigrations, requireKnown } from './database/migrations/migrate.ts';
import { requireVersion } from './database/postgres/server-version.ts';
import { findGeneration } from './database/site-generation.ts';
import { inspectSqlite } from './database/sqlite/inspect-sqlite.ts';
import type { Database } from './database/tables.ts';
import { attempt, type FailureLog } from './failed-tasks.ts';
import type { Print } from './operator-error.ts';
import { prepareIndex } from './search/index/index-state.ts';
import { findFault } from './unusable-files.ts';

/** Runs a start while no restore fills the PostgreSQL database; waits for a running restore. */
export async function afterRestores<T>(
  config: Config,
  print: Print,
  start: () => Promise<T>,
): Promise<T> {
  if (!config.databaseUrl) return start();
  const db = openDatabase(config, { noStatementTimeout: true });
  const sayWaiting = () =>
    print('A restore fills this database. The start waits until it has finished.');
  try {
    return await withoutRestore(db, start, sayWaiting);
  } finally {
    await db.destroy();
  }
}

/**
 * Locks the data folder for this process, and inspects it before anything is opened or changed.
 * @param opened releases the folder when it is disposed of
 * @returns the ledger of erased accounts, without which nothing may be shown
 * @throws DataDirInUse when another process serves from the folder; UnfitDatabase
 */
export async function claimDataDir(
  config: Config,
  opened: AsyncDisposableStack,
  print: Print,
): Promise<Erasure[]> {
  if (!config.databaseUrl) {
    // Several processes may share a PostgreSQL database, but not an SQLite file.
    opened.defer(lockDataDir(config.dataDir));
    inspectSqlite(config.dataDir);
  }
  const ledger = await readLocalLedger(config);
  const fault = await findFault(config.dataDir, 'backups/.');
  if (fault) print(`No backup can be made: ${fault}`);
  return ledger;
}

/**
 * Migrates the database to this version.
 * @param isOpened the caller opened the database, so it is not copied before it is changed
 */
export async function upgradeSite(
  { config, db }: { config: Config; db: Database },
  { print, isOpened }: { print: Print; isOpened: boolean },
): Promise<void> {
  if (isPostgres(db)) await requireVersion(db);
  // Before the tables of another version are read.
  requireKnown(await readMigrations(db));
  await (isOpened ? migrate(db) : upgrade(config, db, print));
  await prepareIndex(db).catch((error) =>
    print(`preparing the search index failed; the index builder repeats it: ${error}`),
  );
}

/** Erases accounts again whose erasure a restored backup or an older copy of the database lacks. */
export async function settleErasures(
  services: ErasureServices,
  ledger: Erasure[],
  print: Print,
): Promise<void> {
  const { db, now } = services;
  const log: FailureLog = { error: ({ err }, message) => print(`${message}: ${err}`) };
  const isRestored = (await findGeneration(db)) === undefined;
  if (isRestored) await postponeDeletions(db, now());
  const marked = await attempt(services, 'marking erased accounts', log, () =>
    markListed(db, ledger, now()),
  );
  if (isRestored || marked !== 0) {
    await attempt(services, 'erasing accounts', log, () => eraseDueAccounts(services));
  }
}
