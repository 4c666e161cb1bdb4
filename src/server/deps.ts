import { type Tell, upgrade } from './backups/upgrade.ts';
import type { Config } from './config.ts';
import { lockDataDir, openDatabase } from './database/database.ts';
import { inspectSqlite } from './database/inspect-sqlite.ts';
import { migrate } from './database/migrate.ts';
import type { Database } from './database/tables.ts';
import type { ImageStore } from './images/image-store.ts';
import { openImageStore } from './images/open-image-store.ts';
import { restrictDecoders } from './images/picture-maker.ts';
import { type LiveBus, LocalLiveBus } from './live/live-bus.ts';
import { PostgresLiveBus } from './live/postgres-live-bus.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createPageRenderer, type PageRenderer, readClientBuild } from './pages/render-page.ts';

/** Everything the app works with; a test or the demo puts its own parts in place. */
export interface Deps {
  config: Config;
  db: Database;
  images: ImageStore;
  live: LiveBus;
  renderPage: PageRenderer;
  metrics: Metrics;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Lets go of everything that was opened. */
  close: () => Promise<void>;
}

/**
 * Opens the parts that the settings ask for, and migrates.
 * @param tell hears what the person who runs the site should know of an upgrade
 * @throws DataDirInUse when another process serves from the data folder; UnfitDatabase
 */
export async function openDeps(
  config: Config,
  replace: Partial<Deps> = {},
  tell: Tell = () => {},
): Promise<Deps> {
  // Several processes may share a PostgreSQL; an SQLite file belongs to one.
  const unlock = config.databaseUrl ? () => {} : lockDataDir(config.dataDir);
  let db: Database;
  try {
    if (!config.databaseUrl) inspectSqlite(config.dataDir);
    db = replace.db ?? openDatabase(config);
  } catch (error) {
    unlock();
    throw error;
  }
  let live = replace.live;
  const close = async () => {
    await live?.close();
    await db.destroy();
    unlock();
  };
  restrictDecoders();
  const pictureOrigin = config.s3?.publicUrl && new URL(config.s3.publicUrl).origin;
  try {
    await (replace.db ? migrate(db) : upgrade(config, db, tell));
    live ??= config.databaseUrl ? new PostgresLiveBus(config.databaseUrl) : new LocalLiveBus();
    return {
      config,
      db,
      images: await openImageStore(config),
      live,
      renderPage: replace.renderPage ?? createPageRenderer(await readClientBuild(), pictureOrigin),
      metrics: createMetrics({ ofProcess: config.metrics }),
      now: Date.now,
      close,
      ...replace,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
