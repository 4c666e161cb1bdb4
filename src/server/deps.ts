import { ResponseCache } from './cache/response-cache.ts';
import type { Config } from './config/config.ts';
import { openDatabase } from './database/database.ts';
import type { PoolCounts } from './database/postgres/postgres-pool.ts';
import { siteGeneration } from './database/site-generation.ts';
import type { NodeSqlite } from './database/sqlite/node-sqlite.ts';
import type { Database } from './database/tables.ts';
import { groupedTransactions, singleTransactions, type Transact } from './database/transactions.ts';
import { hasFormerNames } from './images/image-names.ts';
import type { ImageStore } from './images/stores/image-store.ts';
import { openImageStore } from './images/stores/open-image-store.ts';
import { LiveBus, publishing } from './live/bus/live-bus.ts';
import type { Print } from './operator-error.ts';
import { createPageRenderer, type PageRenderer, readClientBuild } from './pages/render-page.ts';
import { afterRestores, claimDataDir, settleErasures, upgradeSite } from './start-up.ts';
import { openUploads, type Uploads } from './uploads/open-uploads.ts';

/** The services of the app. Tests and the demo replace some of them. */
export interface Deps {
  config: Config;
  db: Database;
  /** Connection counts of PostgreSQL's pool, for metrics. */
  pool: PoolCounts | undefined;
  transact: Transact;
  /** The site's generation (site-generation.ts), constant while the process runs. */
  generation: string;
  /** Whether images may have had names that are no longer known (image-names.ts). */
  hasFormerNames: boolean;
  images: ImageStore;
  uploads: Uploads;
  live: LiveBus;
  responses: ResponseCache;
  renderPage: PageRenderer;
  /** Whole milliseconds since 1970. */
  now: () => number;
  close: () => Promise<void>;
}

/**
 * Opens the services that the settings name, and migrates the database.
 * @param replace services to use instead
 * @param print prints a line for the operator when the start waits, copies the database or postpones a task
 * @throws DataDirInUse when another process serves from the data folder; UnfitDatabase
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
  let pool: PoolCounts | undefined;
  let sqlite: NodeSqlite | undefined;
  const onPool = (counts: PoolCounts) => {
    pool = counts;
  };
  const onSqlite = (file: NodeSqlite) => {
    sqlite = file;
  };
  const db = replace.db ?? openDatabase(config, { onPool, onSqlite });
  opened.defer(() => db.destroy());
  const images = replace.images ?? (await openImageStore(config));
  await upgradeSite({ config, db, images }, { print, isOpened: replace.db !== undefined });
  const uploads = replace.uploads ?? (await openUploads(config, db));
  opened.defer(() => uploads.close());
  const { databaseUrl } = config;
  const live = replace.live ?? (await openLiveBus(databaseUrl, db));
  opened.defer(() => live.close());
  // On SQLite, commands beside the server cannot notify it of their changes.
  const responses = new ResponseCache(live, () => sqlite?.hasChangedElsewhere() ?? false);
  if (!databaseUrl) opened.defer(responses.checkRegularly());
  const transactions = databaseUrl ? singleTransactions(db) : groupedTransactions(db);
  const transact = publishing(transactions, live);
  const clock = replace.now ?? Date.now;
  // Databases store whole milliseconds.
  const now = () => Math.round(clock());
  const services = { config, db, transact, live, images, now };
  // Before the site gets a generation: it has none yet when it was restored.
  await settleErasures(services, ledger, print);
  const generation = await siteGeneration(db);
  const imageOrigin = config.s3?.publicUrl && new URL(config.s3.publicUrl).origin;
  const deps: Deps = {
    ...services,
    pool,
    generation,
    hasFormerNames: await hasFormerNames(db, generation),
    uploads,
    responses,
    renderPage: replace.renderPage ?? createPageRenderer(await readClientBuild(), imageOrigin),
    close: () => closing.disposeAsync(),
    ...replace,
    now,
  };
  // A restore detects a server by its listening connection; without one the server still works.
  await live.ready().catch(() => {});
  const closing = opened.move();
  return deps;
}

async function openLiveBus(databaseUrl: string | undefined, db: Database): Promise<LiveBus> {
  if (!databaseUrl) return new LiveBus();
  // The pg driver is loaded only when PostgreSQL is configured.
  const { PostgresLiveBus } = await import('./live/bus/postgres-live-bus.ts');
  return new PostgresLiveBus(databaseUrl, db);
}
