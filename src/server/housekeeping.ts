import type { FastifyBaseLogger } from 'fastify';
import { deleteExpiredLinks } from './accounts/password-links.ts';
import { deleteExpiredSessions } from './accounts/sessions.ts';
import { backUpDaily } from './backups/backup-process.ts';
import { deleteOldKeys } from './database/once.ts';
import { type ConfirmLock, unlessUnderWay } from './database/one-at-a-time.ts';
import type { Deps } from './deps.ts';
import { deleteExpiredLimits } from './http/shared-limiter.ts';
import { type Swept, sweepImages } from './images/sweep-images.ts';
import { sweepSharedUploads, sweepUploads } from './images/sweep-uploads.ts';

const intervalMs = 3_600_000;

/** Keeps house now and every hour, for as long as the process lives. */
export function startHousekeeping(deps: Deps, log: FastifyBaseLogger): void {
  const keep = () => keepHouse(deps, log).then(() => backUpDaily(deps.config, log));
  void keep();
  setInterval(keep, intervalMs).unref();
}

/** Clears away what is no longer of use. It never throws. */
export async function keepHouse(deps: Deps, log: FastifyBaseLogger): Promise<void> {
  try {
    // The folder of unfinished uploads may be this process's own.
    const files = await sweepUploads(deps);
    const swept = await unlessUnderWay(deps, (confirmLock) => sweepShared(deps, confirmLock));
    deps.metrics?.sweptImages.inc(swept?.images ?? 0);
    deps.metrics?.sweptBytes.inc(swept?.bytes ?? 0);
    const uploads = files + (swept?.uploads ?? 0);
    if (uploads + (swept?.images ?? 0) + (swept?.strays ?? 0) > 0) {
      log.info({ ...swept, uploads }, 'swept');
    }
  } catch (error) {
    log.error({ err: error }, 'housekeeping failed; it is tried again in an hour');
  }
}

/** What all processes have in common: the database, the pictures and the uploads in a bucket. */
async function sweepShared(
  deps: Deps,
  confirmLock: ConfirmLock,
): Promise<Swept & { uploads: number }> {
  await deleteExpiredSessions(deps.db, deps.now());
  await deleteExpiredLinks(deps.db, deps.now());
  await deleteExpiredLimits(deps.db, deps.now());
  await deleteOldKeys(deps.db, deps.now());
  const uploads = await sweepSharedUploads(deps);
  return { uploads, ...(await sweepImages(deps, confirmLock)) };
}
