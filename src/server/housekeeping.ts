import type { FastifyBaseLogger } from 'fastify';
import { deleteExpiredSessions } from './accounts/sessions.ts';
import type { Deps } from './deps.ts';
import { sweepImages } from './images/sweep-images.ts';
import { sweepUploads } from './images/sweep-uploads.ts';

const intervalMs = 3_600_000;

/** Clears away what is no longer of use, now and every hour, for as long as the process lives. */
export function startHousekeeping(deps: Deps, log: FastifyBaseLogger): void {
  const keepHouse = async () => {
    try {
      await deleteExpiredSessions(deps.db, deps.now());
      const uploads = await sweepUploads(deps);
      const swept = await sweepImages(deps);
      deps.metrics.sweptImages.inc(swept.images);
      deps.metrics.sweptBytes.inc(swept.bytes);
      if (uploads + swept.images + swept.strays > 0) log.info({ uploads, ...swept }, 'swept');
    } catch (error) {
      log.error({ err: error }, 'housekeeping failed; it is tried again in an hour');
    }
  };
  void keepHouse();
  setInterval(keepHouse, intervalMs).unref();
}
