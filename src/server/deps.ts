import { type Print, upgrade } from './backups/upgrade.ts';
import { ResponseCache } from './cache/response-cache.ts';
import type { Config } from './config.ts';
import { openDatabase } from './database/database.ts';
import { lockDataDir } from './database/locks/file-lock.ts';
import { migrate } from './database/migrations/migrate.ts';
import { siteGeneration } from './database/site-generation.ts';
import { inspectSqlite } from './database/sqlite/inspect-sqlite.ts';
import type { NodeSqlite } from './database/sqlite/node-sqlite.ts';
import type { Database } from './database/tables.ts';
import { groupedTransactions, singleTransactions, type Transact } from './database/transactions.ts';
import { hasFormerNames } from './images/image-queries.ts';
import type { ImageStore } from './images/stores/image-store.ts';
import { openImageStore } from './images/stores/open-image-store.ts';
import { type LiveBus, LocalLiveBus } from './live-bus/live-bus.ts';
import { PostgresLiveBus } from './live-bus/postgres-live-bus.ts';
import { createMetrics, type Metrics } from './operations/metrics.ts';
import { createPageRenderer, type PageRenderer, readClientBuild } from './pages/render-page.ts';
import { openUploads, type Uploads } from './uploads/open-uploads.ts';

/** Everything the app works with; a test or the demo puts its own parts in place. */
export interface Deps {
  config: Config;
  db: Database;
  transact: Transact;
  /** Of the site (site-generation.ts); it stays while the process serves. */
  generation: string;
  /** Images may have had names that are no longer known (image-queries.ts). */
  hasFormerNames: boolean;
  images: ImageStore;
  uploads: Uploads;
  live: LiveBus;
  responses: ResponseCache;
  renderPage: PageRenderer;
  /** Undefined when they are switched off. */
  metrics: Metrics | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Lets go of everything that was opened. */
  close: () => Promise<void>;
}

/**
 * Opens the parts that the settings ask for, and migrates.
 * @param print prints a line for the operator when an upgrade copies the database
 * @throws DataDirInUse when another process serves from the data folder; UnfitDatabase
 */
export async function openDeps(
  config: Config,
  replace: Partial<Deps> = {},
  print: Print = () => {},
): Promise<Deps> {
  // Several processes may share a PostgreSQL; an SQLite file belongs to one.
  const unlock = config.databaseUrl ? () => {} : lockDataDir(config.dataDir);
  const metrics = replace.metrics ?? (config.metrics ? createMetrics() : undefined);
  let db: Database;
  let sqlite: NodeSqlite | undefined;
  try {
    if (!config.databaseUrl) inspectSqlite(config.dataDir);
    db =
      replace.db ??
      openDatabase(config, {
        onPool: metrics?.watchPool,
        onSqlite: (file) => {
          sqlite = file;
        },
      });
  } catch (error) {
    unlock();
    throw error;
  }
  let live = replace.live;
  let uploads = replace.uploads;
  const close = async () => {
    await live?.close();
    await uploads?.close();
    await db.destroy();
    unlock();
  };
  const imageOrigin = config.s3?.publicUrl && new URL(config.s3.publicUrl).origin;
  try {
    await (replace.db ? migrate(db) : upgrade(config, db, print));
    live ??= config.databaseUrl ? new PostgresLiveBus(config.databaseUrl) : new LocalLiveBus();
    uploads ??= await openUploads(config);
    const generation = await siteGeneration(db);
    return {
      config,
      db,
      generation,
      hasFormerNames: await hasFormerNames(db, generation),
      transact: config.databaseUrl ? singleTransactions(db) : groupedTransactions(db),
      images: await openImageStore(config),
      uploads,
      live,
      responses: new ResponseCache(
        live,
        // Commands run beside the server, and have no bus to tell it by.
        () => sqlite?.hasChangedElsewhere() ?? false,
      ),
      renderPage: replace.renderPage ?? createPageRenderer(await readClientBuild(), imageOrigin),
      metrics,
      now: Date.now,
      close,
      ...replace,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
