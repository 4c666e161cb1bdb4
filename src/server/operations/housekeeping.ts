import type { FastifyBaseLogger } from 'fastify';
import { addNameKeys } from '../accounts/name-key.ts';
import { backUpDaily } from '../backups/backup-process.ts';
import { completeLedger } from '../backups/erasure-ledger.ts';
import { deleteOldKeys } from '../database/idempotency.ts';
import { type ConfirmLock, tryWithLock } from '../database/locks/advisory-lock.ts';
import type { Deps } from '../deps.ts';
import { shortenDeletions } from '../erasure/deletion-request.ts';
import { eraseDueAccounts, findDueAccounts } from '../erasure/erase-account.ts';
import { deleteExpiredLimits } from '../http/postgres-rate-limiter.ts';
import { separateImages } from '../images/separate-images.ts';
import { type Swept, sweepImages } from '../images/sweep-images.ts';
import { deleteExpiredChallenges } from '../passkeys/challenges.ts';
import { deleteExpiredLinks } from '../recovery/password-links.ts';
import { deleteExpiredSessions } from '../sessions/sessions.ts';
import { sweepSharedUploads, sweepUploads } from '../uploads/sweep-uploads.ts';
import { eraseExpired } from './erase-expired.ts';
import type { Metrics } from './metrics.ts';

const intervalMs = 3_600_000;
/** More often, because unfinished uploads count against the quotas of their accounts. */
const uploadsIntervalMs = 600_000;
/** So that an account is erased soon after its time. */
const erasureIntervalMs = 60_000;

/** Runs housekeeping at once and then at intervals until the process ends. */
export function startHousekeeping(deps: Deps, log: FastifyBaseLogger, metrics?: Metrics): void {
  const hourly = async () => {
    await runHousekeeping(deps, log, metrics);
    await completeOwnLedger(deps, log);
    await backUpDaily(deps.config, log);
  };
  const sweep = () => sweepUnfinishedUploads(deps, log);
  const erase = () => eraseAccounts(deps, log);
  void separateShared(deps, log).then(hourly);
  void sweep();
  void erase();
  setInterval(hourly, intervalMs).unref();
  setInterval(sweep, uploadsIntervalMs).unref();
  setInterval(erase, erasureIntervalMs).unref();
}

/** Erases the accounts whose time has come. Never throws. */
async function eraseAccounts(deps: Deps, log: FastifyBaseLogger): Promise<void> {
  try {
    if ((await findDueAccounts(deps)).length === 0) return;
    const accounts = await tryWithLock(deps, (confirmLock) => eraseDueAccounts(deps, confirmLock));
    if (accounts) log.info({ accounts }, 'erased accounts');
  } catch (error) {
    log.error({ err: error }, 'erasing an account failed; it goes on in a minute');
  }
}

/** Once at start, because only earlier versions and their backups have shared pictures. Never throws. */
export async function separateShared(deps: Deps, log: FastifyBaseLogger): Promise<void> {
  try {
    await tryWithLock(deps, () => separateImages(deps));
  } catch (error) {
    log.error({ err: error }, 'copying shared pictures failed; the next start tries it again');
  }
}

/** Each machine has a ledger of all erased accounts beside its backups. */
async function completeOwnLedger({ config, db }: Deps, log: FastifyBaseLogger): Promise<void> {
  try {
    await completeLedger(config, db);
  } catch (error) {
    log.error({ err: error }, 'writing the ledger of erased accounts failed; retrying in an hour');
  }
}

/** Deletes expired rows, what left the bins, and unused images. Never throws. */
export async function runHousekeeping(
  deps: Deps,
  log: FastifyBaseLogger,
  metrics?: Metrics,
): Promise<void> {
  try {
    const swept = await tryWithLock(deps, (confirmLock) => sweepShared(deps, confirmLock));
    if (!swept) return;
    metrics?.sweptImages.inc(swept.images);
    metrics?.sweptBytes.inc(swept.bytes);
    if (swept.images + swept.strays > 0) log.info(swept, 'swept');
  } catch (error) {
    log.error({ err: error }, 'housekeeping failed; retrying in an hour');
  }
}

/** Deletes stalled uploads. Several processes may run it at the same time. */
async function sweepUnfinishedUploads(deps: Deps, log: FastifyBaseLogger): Promise<void> {
  try {
    // Every process sweeps, because the upload folder may belong to this process alone.
    const uploads = (await sweepUploads(deps)) + (await sweepSharedUploads(deps));
    if (uploads > 0) log.info({ uploads }, 'swept');
  } catch (error) {
    log.error({ err: error }, 'sweeping unfinished uploads failed; retrying in ten minutes');
  }
}

/** Sweeps the database and the image store, which all processes share. */
async function sweepShared(deps: Deps, confirmLock: ConfirmLock): Promise<Swept> {
  await deleteExpiredSessions(deps);
  await deleteExpiredLinks(deps.db, deps.now());
  await deleteExpiredChallenges(deps.db, deps.now());
  await deleteExpiredLimits(deps.db, deps.now());
  await deleteOldKeys(deps.db, deps.now());
  await addNameKeys(deps);
  await shortenDeletions(deps.db, deps.now());
  await eraseExpired(deps);
  return sweepImages(deps, confirmLock);
}
