import { type AppServices, openServices } from '../../services.ts';
import type { Print } from '../../system/operator-error.ts';
import type { Config } from '../../system/settings/config.ts';
import { backupFolder } from '../backups/backup-folder.ts';
import { healthOf } from '../health/health-checks.ts';
import { afterRestores, claimDataDir, settleErasures, upgradeSite } from './prepare-data.ts';
import { requireClock } from './require-clock.ts';

/**
 * Opens the services that the settings describe, and migrates the database.
 * @param replace services to use instead of opening them
 * @param print prints a line for the operator when the start waits, copies the database or postpones a task
 * @throws DataDirInUse when another process serves from the data folder; UnfitDatabase; OperatorError when
 * the clock is behind the times recorded in the database
 */
export function openSite(
  config: Config,
  replace: Partial<AppServices> = {},
  print: Print = () => {},
): Promise<AppServices> {
  return replace.db
    ? open(config, replace, print)
    : afterRestores(config, print, () => open(config, replace, print));
}

async function open(
  config: Config,
  replace: Partial<AppServices>,
  print: Print,
): Promise<AppServices> {
  await using opened = new AsyncDisposableStack();
  const ledger = await claimDataDir(config, opened, print);
  return await openServices(config, replace, opened, {
    ledgerFolder: backupFolder(config),
    migrate: (db) => upgradeSite({ config, db }, { print, isOpened: replace.db !== undefined }),
    settle: async (services) => {
      await requireClock(services.db, services.now());
      await settleErasures(services, ledger, print);
    },
    healthOf,
  });
}
