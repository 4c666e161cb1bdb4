import { engineNamed, engineOf } from '../../database/engine.ts';
import { requireNothingLost } from '../../database/lost-database.ts';
import { migrate, readMigrations, requireKnown } from '../../database/migrations/migrate.ts';
import { findEpoch } from '../../database/site-epoch.ts';
import type { Database } from '../../database/tables.ts';
import { markErased, postponeDeletions } from '../../privacy/erasure/apply-ledger.ts';
import { eraseBegunAccounts } from '../../privacy/erasure/erase-account.ts';
import { type LedgerLine, readLocalLedger } from '../../privacy/erasure/erasure-ledger.ts';
import type { ErasureServices } from '../../privacy/erasure/erasure-services.ts';
import { prepareIndex } from '../../search-index/index-state.ts';
import { type FailureLog, logFailure } from '../../system/failed-tasks.ts';
import type { Print } from '../../system/operator-error.ts';
import type { Config } from '../../system/settings/config.ts';
import { describeDatabase } from '../../system/settings/describe-stores.ts';
import { findFault } from '../../system/unusable-files.ts';
import { backupFolder } from '../backups/backup-folder.ts';
import { upgrade } from '../backups/upgrade.ts';

/** Runs a start while no restore fills the database. Waits for a running restore first. */
export function afterRestores<T>(
  config: Config,
  print: Print,
  start: () => Promise<T>,
): Promise<T> {
  return engineNamed(config).withoutRestore(config, start, () =>
    print('A restore fills this database. The start waits until it has finished.'),
  );
}

/**
 * Claims the data for this process, and inspects it before anything is opened or changed.
 * @param opened releases the claim when disposed
 * @returns the ledger of erased accounts, which must be applied before anything is shown
 * @throws DataDirInUse when another process serves from the data folder; UnfitDatabase
 */
export async function claimDataDir(
  config: Config,
  opened: AsyncDisposableStack,
  print: Print,
): Promise<LedgerLine[]> {
  const engine = engineNamed(config);
  opened.defer(engine.claim(config));
  engine.inspect(config);
  const ledger = await readLocalLedger(backupFolder(config));
  const fault = await findFault(config.dataDir, 'backups/.');
  if (fault) print(`No backup can be made: ${fault}`);
  return ledger;
}

/**
 * Migrates the database to this version.
 * @param isOpened whether the caller opened the database: then no copy is made before a migration
 */
export async function upgradeSite(
  { config, db }: { config: Config; db: Database },
  { print, isOpened }: { print: Print; isOpened: boolean },
): Promise<void> {
  await engineOf(db).requireVersion(db);
  // Check this before reading tables, which may be of another version.
  const done = await readMigrations(db);
  requireKnown(done);
  // SQLite's file was inspected before it was opened.
  if (done.length === 0 && !isOpened && !engineOf(db).isFile) {
    requireNothingLost(config.dataDir, describeDatabase(config));
  }
  await (isOpened ? migrate(db) : upgrade(config, db, print));
  await prepareIndex(db).catch((error) =>
    print(`preparing the search index failed; the index builder repeats it: ${error}`),
  );
}

/**
 * Repeats erasures of accounts that a restored backup or an older copy of the database does not contain. No erasure
 * begins because of the time: the clock is not known to be right yet (clock-watch.ts).
 */
export async function settleErasures(
  services: ErasureServices,
  ledger: LedgerLine[],
  print: Print,
): Promise<void> {
  const { db, now } = services;
  const log: FailureLog = { error: ({ err }, message) => print(`${message}: ${err}`) };
  const isRestored = (await findEpoch(db)) === undefined;
  if (isRestored) await postponeDeletions(db, now());
  const marked = await logFailure({}, 'marking erased accounts', log, () =>
    markErased(db, ledger, now()),
  );
  if (isRestored || marked !== 0) {
    await logFailure({}, 'erasing accounts', log, () => eraseBegunAccounts(services));
  }
}
