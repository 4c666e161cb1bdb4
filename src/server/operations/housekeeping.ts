import type { FastifyBaseLogger } from 'fastify';
import { deleteExpiredLinks } from '../accounts/password-links.ts';
import { deleteExpiredSessions } from '../accounts/sessions.ts';
import { backUpDaily } from '../backups/backup-process.ts';
import { deleteOldKeys } from '../database/idempotency.ts';
import { type ConfirmLock, tryWithLock } from '../database/locks/advisory-lock.ts';
import type { Deps } from '../deps.ts';
import { deleteExpiredLimits } from '../http/postgres-rate-limiter.ts';
import { type Swept, sweepImages } from '../images/sweep-images.ts';
import { sweepSharedUploads, sweepUploads } from '../uploads/sweep-uploads.ts';

const intervalMs = 3_600_000;
/** More often: unfinished uploads count against the quotas of their accounts until they go. */
const uploadsIntervalMs = 600_000;

/** Keeps house now and from then on, for as long as the process lives. */
export function startHousekeeping(deps: Deps, log: FastifyBaseLogger): void {
  const clear = () => clearUploads(deps, log);
  const keep = () => runHousekeeping(deps, log).then(() => backUpDaily(deps.config, log));
  void keep();
  void clear();
  setInterval(keep, intervalMs).unref();
  setInterval(clear, uploadsIntervalMs).unref();
}

/** Clears away what is no longer of use. It never throws. */
export async function runHousekeeping(deps: Deps, log: FastifyBaseLogger): Promise<void> {
  try {
    const swept = await tryWithLock(deps, (confirmLock) => sweepShared(deps, confirmLock));
    deps.metrics?.sweptImages.inc(swept?.images ?? 0);
    deps.metrics?.sweptBytes.inc(swept?.bytes ?? 0);
    if ((swept?.images ?? 0) + (swept?.strays ?? 0) > 0) log.info(swept, 'swept');
  } catch (error) {
    log.error({ err: error }, 'housekeeping failed; it is tried again in an hour');
  }
}

/** Clears away unfinished uploads without progress; several processes at once do no harm. */
async function clearUploads(deps: Deps, log: FastifyBaseLogger): Promise<void> {
  try {
    // The folder may be this process's own.
    const uploads = (await sweepUploads(deps)) + (await sweepSharedUploads(deps));
    if (uploads > 0) log.info({ uploads }, 'swept');
  } catch (error) {
    log.error({ err: error }, 'unfinished uploads were not swept; it is tried again');
  }
}

/** What all processes have in common: the database and the images. */
async function sweepShared(deps: Deps, confirmLock: ConfirmLock): Promise<Swept> {
  await deleteExpiredSessions(deps.db, deps.now());
  await deleteExpiredLinks(deps.db, deps.now());
  await deleteExpiredLimits(deps.db, deps.now());
  await deleteOldKeys(deps.db, deps.now());
  return sweepImages(deps, confirmLock);
}
