import type { FastifyBaseLogger } from 'fastify';
import type { ConfirmLock } from '../../database/engine-type.ts';
import { tryWithLock } from '../../database/locks/locks.ts';
import { removeDeleted, sweepImages } from '../../images/sweep-images.ts';
import { sweepUploads } from '../../images/uploads/sweep-uploads.ts';
import { markErased } from '../../privacy/erasure/apply-ledger.ts';
import { completeLedger } from '../../privacy/erasure/complete-ledger.ts';
import { eraseDueAccounts, findDueAccounts } from '../../privacy/erasure/erase-account.ts';
import { readLocalLedger } from '../../privacy/erasure/erasure-ledger.ts';
import { mergeWhenDue } from '../../search-index/merge-index.ts';
import type { AppServices } from '../../services.ts';
import { forEachDespiteErrors, throwAny } from '../../system/despite-errors.ts';
import { logFailure } from '../../system/failed-tasks.ts';
import { backUpDaily } from '../backups/backup-process.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ClockWatch } from '../start/clock-watch.ts';
import { eraseExpired } from './erase-expired.ts';

const intervalMs = 3_600_000;
/** Shorter, because unfinished uploads count against the quotas of their accounts. */
const uploadsIntervalMs = 600_000;
/** Short, so that accounts are erased soon after they are due. */
const erasureIntervalMs = 60_000;

/**
 * Runs housekeeping at once and at intervals until the process ends. Everything that it erases because of the time waits
 * until the clock is believed; a backup displaces the oldest one whatever the time is.
 */
export function startHousekeeping(
  services: AppServices,
  log: FastifyBaseLogger,
  clock: ClockWatch,
  metrics?: Metrics,
): void {
  // A pass has one time, which was checked: the clock may jump while it runs.
  const byClock = async (pass: (timed: AppServices) => Promise<void>) => {
    const nowMs = clock.check();
    if (nowMs !== undefined) await pass({ ...services, now: () => nowMs });
  };
  // Tasks are skipped while the lock is held, so these wait for each other instead.
  let last = Promise.resolve();
  const oneAtATime = (task: () => Promise<void>) => {
    last = last.then(task);
    return last;
  };
  const erase = () => oneAtATime(() => byClock((timed) => attemptErasures(timed, log)));
  const sweep = () => byClock((timed) => sweepUnfinishedUploads(timed, log));
  const backUp = async () => {
    await completeLocalLedger(services, log);
    await backUpDaily(services, log);
  };
  const hourly = async () => {
    await oneAtATime(() => byClock((timed) => runHousekeeping(timed, log, metrics)));
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
export async function attemptErasures(
  services: AppServices,
  log: FastifyBaseLogger,
): Promise<void> {
  await logFailure(services, 'erasing accounts', log, async () => {
    const { db, now } = services;
    if ((await findDueAccounts(db, now())).length === 0) return;
    const accounts = await tryWithLock(services, async (confirmLock) => {
      const erased = await eraseDueAccounts(services);
      await mergeWhenDue(services);
      throwAny(await removeDeleted(services, confirmLock));
      return erased;
    });
    if (accounts) log.info({ accounts }, 'erased accounts');
  });
}

/**
 * Marks the accounts that the ledger beside this machine's backups lists as erased, and completes it from the database.
 */
async function completeLocalLedger(services: AppServices, log: FastifyBaseLogger): Promise<void> {
  const { ledgerFolder, db, now } = services;
  await logFailure(services, 'marking erased accounts', log, async () => {
    await markErased(db, await readLocalLedger(ledgerFolder), now());
  });
  await logFailure(services, 'writing the ledger of erased accounts', log, () =>
    completeLedger(ledgerFolder, db),
  );
}

/** Runs the hourly steps on the database and the image store, which all processes share. Never throws. */
export async function runHousekeeping(
  services: AppServices,
  log: FastifyBaseLogger,
  metrics?: Metrics,
): Promise<void> {
  const sweep = async (confirmLock: ConfirmLock) => {
    const { failures, ...swept } = await sweepImages(services, confirmLock);
    metrics?.sweptImages.inc(swept.images);
    metrics?.sweptBytes.inc(swept.bytes);
    if (swept.images + swept.unfinished > 0) log.info(swept, 'swept');
    throwAny(failures);
  };
  const stepsOf = (confirmLock: ConfirmLock) => [
    () => eraseExpired(services),
    () => mergeWhenDue(services),
    () => sweep(confirmLock),
  ];
  await logFailure(services, 'housekeeping', log, () =>
    tryWithLock(services, (confirmLock) =>
      forEachDespiteErrors(stepsOf(confirmLock), (step) => step()),
    ),
  );
}

/** Removes stalled uploads of this machine. Several processes may run it at the same time. */
async function sweepUnfinishedUploads(
  services: AppServices,
  log: FastifyBaseLogger,
): Promise<void> {
  await logFailure(services, 'sweeping unfinished uploads', log, async () => {
    const uploads = await sweepUploads(services);
    if (uploads > 0) log.info({ uploads }, 'swept');
  });
}
