import { type Deps, openServices } from '../../services.ts';
import type { Print } from '../../system/operator-error.ts';
import type { Config } from '../../system/settings/config.ts';
import { healthOf } from '../alerts/check-all.ts';
import { backupFolder } from '../backups/backup-folder.ts';
import { requireClock } from './require-clock.ts';
import { afterRestores, claimDataDir, settleErasures, upgradeSite } from './start-up.ts';

/**
 * Opens the services that the settings describe, and migrates the database.
 * @param replace services to use instead of opening them
 * @param print prints a line for the operator when the start waits, copies the database or postpones a task
 * @throws DataDirInUse when another process serves from the data folder; UnfitDatabase; OperatorError when
 * the clock is behind the times recorded in the database
 */
export function openDeps(
  config: Config,
  replace: Partial<Deps> = {},
  print: Print = () => {},
): Promise<Deps> {
  return replace.db
    ? open(config, replace, print)
    : afterRestores(config, print, () => open(config, replace, print));
}

async function open(config: Config, replace: Partial<Deps>, print: Print): Promise<Deps> {
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
