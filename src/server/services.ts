import type { Release } from '../shared/site-settings.ts';
import { LiveBus } from './database/bus/live-bus.ts';
import { engineOf, openDatabase } from './database/engine.ts';
import type { PoolCounts } from './database/postgres/postgres-pool.ts';
import { siteEpoch, siteIdentity } from './database/site-epoch.ts';
import type { Database } from './database/tables.ts';
import { publishing, type WithTransaction } from './database/transactions.ts';
import { ResponseCache } from './http/cache/response-cache.ts';
import type { HealthChecks } from './http/health-routes.ts';
import { hasFormerNames } from './images/image-names.ts';
import type { ImageStore } from './images/stores/image-store.ts';
import { openImageStore } from './images/stores/open-image-store.ts';
import { openUploads, type Uploads } from './images/uploads/open-uploads.ts';
import type { PushRefusals } from './notifications/pass/push-news.ts';
import {
  createDocumentRenderer,
  type RenderDocument,
  readClientBuild,
} from './pages/render-page.ts';
import { isKnownPushService } from './push/push-services.ts';
import { rememberedSettings, type ShownSettings } from './site-settings/site-settings.ts';
import type { Config } from './system/settings/config.ts';

/** The services of the app. Tests and the demo replace some of them. */
export interface AppServices {
  config: Config;
  db: Database;
  /** Connection counts of PostgreSQL's pool, for metrics. */
  pool: PoolCounts | undefined;
  withTransaction: WithTransaction;
  /** The site's epoch (site-epoch.ts), constant while the process runs. */
  epoch: string;
  /** Part of the names of the site's daily backups (site-epoch.ts). */
  siteIdentity: string;
  /** Whether images may have had names that are no longer known (image-names.ts). */
  hasFormerNames: boolean;
  /** Folder of this machine's ledger of erasures (privacy/erasure/erasure-ledger.ts). */
  ledgerFolder: string;
  images: ImageStore;
  uploads: Uploads;
  live: LiveBus;
  /** The community's settings in force, cached. */
  settings: () => Promise<ShownSettings>;
  responses: ResponseCache;
  renderDocument: RenderDocument;
  /** Whether push messages may be sent to this address. */
  isPushService: (endpoint: URL) => boolean;
  pushRefusals: PushRefusals;
  /** The newest entry of RELEASES_URL that this process has read. */
  releases: { newest: Release | undefined };
  health: HealthChecks;
  /** Whole milliseconds since 1970. */
  now: () => number;
  /** Aborted by `close`, to interrupt work that still uses the services. */
  stopping: AbortSignal;
  close: () => Promise<void>;
}

/** Steps of a start that run while the services are opened (operation/start/). */
export interface StartSteps {
  ledgerFolder: string;
  migrate: (db: Database) => Promise<void>;
  /** Called with the opened stores before the site is shown to anyone. */
  settle: (
    services: Stores & Pick<AppServices, 'config' | 'ledgerFolder' | 'now'>,
  ) => Promise<void>;
  healthOf: (services: Omit<AppServices, 'health'>) => HealthChecks;
}

type Stores = Pick<
  AppServices,
  'db' | 'pool' | 'images' | 'uploads' | 'live' | 'responses' | 'withTransaction'
>;

/**
 * Opens the stores of the site's data and the bus that announces changes, and migrates the database.
 * @param replace services to use instead
 * @param opened closes the stores when it is disposed of
 */
async function openStores(
  config: Config,
  replace: Partial<AppServices>,
  opened: AsyncDisposableStack,
  migrate: StartSteps['migrate'],
): Promise<Stores> {
  let pool: PoolCounts | undefined;
  const onPool = (counts: PoolCounts) => {
    pool = counts;
  };
  const db = replace.db ?? openDatabase(config, { onPool });
  opened.defer(() => db.destroy());
  const images = replace.images ?? (await openImageStore(config));
  await migrate(db);
  const uploads = replace.uploads ?? openUploads(config);
  const live = replace.live ?? new LiveBus();
  opened.defer(() => live.close());
  if (!replace.live) await live.listen(config, db);
  const responses = new ResponseCache(live);
  const withTransaction = publishing(engineOf(db).transactions(db), live);
  return { db, pool, images, uploads, live, responses, withTransaction };
}

/**
 * Opens the services that the settings name.
 * @param replace services to use instead
 * @param opened closes the services when it is disposed of, unless all were opened
 */
export async function openServices(
  config: Config,
  replace: Partial<AppServices>,
  opened: AsyncDisposableStack,
  steps: StartSteps,
): Promise<AppServices> {
  const stores = await openStores(config, replace, opened, steps.migrate);
  const clock = replace.now ?? Date.now;
  // Databases store whole milliseconds.
  const now = () => Math.round(clock());
  const data = { config, ...stores, ledgerFolder: steps.ledgerFolder, now };
  // Before the site gets an epoch: a restored site has none yet.
  await steps.settle(data);
  const epoch = await siteEpoch(stores.db);
  const stopping = new AbortController();
  const parts = {
    ...data,
    epoch,
    siteIdentity: await siteIdentity(stores.db),
    hasFormerNames: await hasFormerNames(stores.db, epoch),
    renderDocument: replace.renderDocument ?? createDocumentRenderer(await readClientBuild()),
    isPushService: isKnownPushService,
    pushRefusals: { count: 0, last: '' },
    releases: { newest: undefined },
    settings: await rememberedSettings(stores.db, stores.live, config),
    stopping: stopping.signal,
    close: () => closing.disposeAsync(),
    ...replace,
    now,
  };
  const services: AppServices = { ...parts, health: replace.health ?? steps.healthOf(parts) };
  // A restore detects a server by its listening connection; without one the server still works.
  await stores.live.ready().catch(() => {});
  opened.defer(() => stopping.abort());
  const closing = opened.move();
  return services;
}
