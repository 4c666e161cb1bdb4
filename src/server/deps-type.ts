import type { ResponseCache } from './cache/response-cache.ts';
import type { Config } from './config/config.ts';
import type { PoolCounts } from './database/postgres/postgres-pool.ts';
import type { Database } from './database/tables.ts';
import type { Transact } from './database/transactions.ts';
import type { ImageStore } from './images/stores/image-store.ts';
import type { LiveBus } from './live/bus/live-bus.ts';
import type { PageRenderer } from './pages/render-page.ts';
import type { Uploads } from './uploads/open-uploads.ts';

/** The services of the app. Tests and the demo replace some of them. */
export interface Deps {
  config: Config;
  db: Database;
  /** Connection counts of PostgreSQL's pool, for metrics. */
  pool: PoolCounts | undefined;
  transact: Transact;
  /** The site's generation (site-generation.ts), constant while the process runs. */
  generation: string;
  /** In the names of the site's daily backups (site-generation.ts). */
  siteIdentity: string;
  /** Whether images may have had names that are no longer known (image-names.ts). */
  hasFormerNames: boolean;
  images: ImageStore;
  uploads: Uploads;
  live: LiveBus;
  responses: ResponseCache;
  renderPage: PageRenderer;
  /** Whole milliseconds since 1970. */
  now: () => number;
  /** Aborted by `close`, which interrupts whatever still uses the services. */
  stopping: AbortSignal;
  close: () => Promise<void>;
}
