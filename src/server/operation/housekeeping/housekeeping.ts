import type { FastifyBaseLogger } from 'fastify';
import type { ConfirmLock } from '../../database/engine-type.ts';
import { tryWithLock } from '../../database/locks/locks.ts';
import { removeDeleted, sweepImages } from '../../images/sweep-images.ts';
import { sweepUploads } from '../../images/uploads/sweep-uploads.ts';
import { eraseDueAccounts, findDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { completeLedger, readLocalLedger } from '../../privacy/erasure/erasure-ledger.ts';
import { markListed } from '../../privacy/erasure/mark-erased.ts';
import { indexOf } from '../../search/index/index-of.ts';
import type { Deps } from '../../services.ts';
import { forEachDespiteErrors, throwAny } from '../../system/despite-errors.ts';
import { attempt } from '../../system/failed-tasks.ts';
import { backUpDaily } from '../backups/backup-process.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { eraseExpired } from './erase-expired.ts';

const intervalMs = 3_600_000;
/** Shorter, because unfinished uploads count against the quotas of their accounts. */
const uploadsIntervalMs = 600_000;
/** Short, so that accounts are erased soon after they are due. */
const erasureIntervalMs = 60_000;

/** Runs housekeeping at once and at intervals until the process ends. */
export function startHousekeeping(deps: Deps, log: FastifyBaseLogger, metrics?: Metrics): void {
  // Tasks are skipped while the lock is held, so these wait for each other instead.
  let last = Promise.resolve();
  const oneAtATime = (task: () => Promise<void>) => {
    last = last.then(task);
    return last;
  };
  const erase = () => oneAtATime(() => attemptErasures(deps, log));
  const sweep = () => sweepUnfinishedUploads(deps, log);
  const backUp = async () => {
    await completeLocalLedger(deps, log);
    await backUpDaily(deps, log);
  };
  const hourly = async () => {
    await oneAtATime(() => runHousekeeping(deps, log, metrics));
    await backUp();
  };
  void erase();
  void hourly();
  void sweep();
  setInterval(hourly, intervalMs).unref();
  setInterval(sweep, uploadsIntervalMs).unref();
  setInterval(erase, erasureIntervalMs).unref();
}

/** Erases the accounts that are due. Never throws. */
export async function attemptErasures(deps: Deps, log: FastifyBaseLogger): Promise<void> {
  await attempt(deps, 'erasing accounts', log, async () => {
    const { db, now, withTransaction } = deps;
    if ((await findDueAccounts(db, now())).length === 0) return;
    const accounts = await tryWithLock(deps, async (confirmLock) => {
      const erased = await eraseDueAccounts(deps);
      await indexOf(db).mergeWords(withTransaction);
      throwAny(await removeDeleted(deps, confirmLock));
      return erased;
    });
    if (accounts) log.info({ accounts }, 'erased accounts');
  });
}

/** Synchronizes erased accounts between the database and the ledger beside this machine's backups, in both directions. */
async function completeLocalLedger(deps: Deps, log: FastifyBaseLogger): Promise<void> {
  const { ledgerFolder, db, now } = deps;
  await attempt(deps, 'marking erased accounts', log, async () => {
    await markListed(db, await readLocalLedger(ledgerFolder), now());
  });
  await attempt(deps, 'writing the ledger of erased accounts', log, () =>
    completeLedger(ledgerFolder, db),
  );
}

/** Runs the hourly steps on the database and the image store, which all processes share. Never throws. */
export async function runHousekeeping(
  deps: Deps,
  log: FastifyBaseLogger,
  metrics?: Metrics,
): Promise<void> {
  const sweep = async (confirmLock: ConfirmLock) => {
    const { failures, ...swept } = await sweepImages(deps, confirmLock);
    metrics?.sweptImages.inc(swept.images);
    metrics?.sweptBytes.inc(swept.bytes);
    if (swept.images + swept.unfinished > 0) log.info(swept, 'swept');
    throwAny(failures);
  };
  const stepsOf = (confirmLock: ConfirmLock) => [
    () => eraseExpired(deps),
    () => indexOf(deps.db).mergeWords(deps.withTransaction),
    () => sweep(confirmLock),
  ];
  await attempt(deps, 'housekeeping', log, () =>
    tryWithLock(deps, (confirmLock) =>
      forEachDespiteErrors(stepsOf(confirmLock), (step) => step()),
    ),
  );
}

/** Removes stalled uploads of this machine. Several processes may run it at the same time. */
async function sweepUnfinishedUploads(deps: Deps, log: FastifyBaseLogger): Promise<void> {
  await attempt(deps, 'sweeping unfinished uploads', log, async () => {
    const uploads = await sweepUploads(deps);
    if (uploads > 0) log.info({ uploads }, 'swept');
  });
}
