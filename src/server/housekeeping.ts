import type { FastifyBaseLogger } from 'fastify';
import { deleteExpiredSessions } from './accounts/sessions.ts';
import { backUpDaily } from './backups/backup-process.ts';
import { unlessUnderWay } from './database/one-at-a-time.ts';
import type { Deps } from './deps.ts';
import { deleteExpiredLimits } from './http/shared-limiter.ts';
import { type Swept, sweepImages } from './images/sweep-images.ts';
import { sweepUploads } from './images/sweep-uploads.ts';

const intervalMs = 3_600_000;

/** Clears away what is no longer of use, now and every hour, for as long as the process lives. */
export function startHousekeeping(deps: Deps, log: FastifyBaseLogger): void {
  const keepHouse = async () => {
    try {
      // The folder of unfinished uploads may be this process's own.
      const uploads = await sweepUploads(deps);
      const swept = await unlessUnderWay(deps, () => sweepShared(deps));
      deps.metrics.sweptImages.inc(swept?.images ?? 0);
      deps.metrics.sweptBytes.inc(swept?.bytes ?? 0);
      if (uploads + (swept?.images ?? 0) + (swept?.strays ?? 0) > 0) {
        log.info({ uploads, ...swept }, 'swept');
      }
    } catch (error) {
      log.error({ err: error }, 'housekeeping failed; it is tried again in an hour');
    }
  };
  const keep = () => keepHouse().then(() => backUpDaily(deps.config, log));
  void keep();
  setInterval(keep, intervalMs).unref();
}

/** What all processes have in common: the database and the pictures. */
async function sweepShared(deps: Deps): Promise<Swept> {
  await deleteExpiredSessions(deps.db, deps.now());
  await deleteExpiredLimits(deps.db, deps.now());
  return sweepImages(deps);
}
