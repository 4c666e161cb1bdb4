import { ResponseCache } from './cache/response-cache.ts';
import type { Config } from './config/config.ts';
import { openDatabase } from './database/database.ts';
import type { PoolCounts } from './database/postgres/postgres-pool.ts';
import type { NodeSqlite } from './database/sqlite/node-sqlite.ts';
import type { Database } from './database/tables.ts';
import { groupedTransactions, publishing, singleTransactions } from './database/transactions.ts';
import type { Deps } from './deps-type.ts';
import { openImageStore } from './images/stores/open-image-store.ts';
import { LiveBus } from './live/bus/live-bus.ts';
import type { Print } from './operator-error.ts';
import { upgradeSite } from './start-up.ts';
import { openUploads } from './uploads/open-uploads.ts';

/** How often an SQLite file is asked for changes that a command made. */
const elsewhereMs = 1000;

type Stores = Pick<Deps, 'db' | 'pool' | 'images' | 'uploads' | 'live' | 'responses' | 'transact'>;

/**
 * Opens what keeps the site's data and what announces its changes, and migrates the database.
 * @param replace services to use instead
 * @param opened closes them when it is disposed of
 */
export async function openStores(
  config: Config,
  replace: Partial<Deps>,
  opened: AsyncDisposableStack,
  print: Print,
): Promise<Stores> {
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
  await upgradeSite({ config, db }, { print, isOpened: replace.db !== undefined });
  const uploads = replace.uploads ?? openUploads(config);
  const { databaseUrl } = config;
  const live = replace.live ?? (await openLiveBus(databaseUrl, db));
  opened.defer(() => live.close());
  if (sqlite) opened.defer(announceCommands(sqlite, live));
  const responses = new ResponseCache(live);
  const transactions = databaseUrl ? singleTransactions(db) : groupedTransactions(db);
  const transact = publishing(transactions, live);
  return { db, pool, images, uploads, live, responses, transact };
}

/** On SQLite, commands beside the server cannot notify it of their changes. @returns a function that stops it */
function announceCommands(sqlite: NodeSqlite, live: LiveBus): () => void {
  const timer = setInterval(() => {
    try {
      if (sqlite.hasChangedElsewhere()) live.publishGap();
    } catch {
      // A failing disk is reported by requests.
    }
  }, elsewhereMs).unref();
  return () => clearInterval(timer);
}

async function openLiveBus(databaseUrl: string | undefined, db: Database): Promise<LiveBus> {
  if (!databaseUrl) return new LiveBus();
  // The pg driver is loaded only when PostgreSQL is configured.
  const { PostgresLiveBus } = await import('./live/bus/postgres-live-bus.ts');
  return new PostgresLiveBus(databaseUrl, db);
}
