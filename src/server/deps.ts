import { eraseDueAccounts } from './accounts/erasure/erase-account.ts';
import { readOwnLedger } from './backups/erasure-ledger.ts';
import { markListed, postponeDeletions } from './backups/mark-erased.ts';
import { type Print, upgrade } from './backups/upgrade.ts';
import { ResponseCache } from './cache/response-cache.ts';
import type { Config } from './config/config.ts';
import { openDatabase } from './database/database.ts';
import { isPostgres } from './database/is-postgres.ts';
import { withoutRestore } from './database/locks/advisory-lock.ts';
import { lockDataDir } from './database/locks/file-lock.ts';
import { migrate } from './database/migrations/migrate.ts';
import type { PoolCounts } from './database/postgres/postgres-pool.ts';
import { requireVersion } from './database/postgres/server-version.ts';
import { findGeneration, siteGeneration } from './database/site-generation.ts';
import { inspectSqlite } from './database/sqlite/inspect-sqlite.ts';
import type { NodeSqlite } from './database/sqlite/node-sqlite.ts';
import type { Database } from './database/tables.ts';
import { groupedTransactions, singleTransactions, type Transact } from './database/transactions.ts';
import { attempt, type ReportFailure } from './failed-work.ts';
import { hasFormerNames } from './images/image-names.ts';
import { checkBeforeStart } from './images/site-identity.ts';
import type { ImageStore } from './images/stores/image-store.ts';
import { openImageStore } from './images/stores/open-image-store.ts';
import { LiveBus } from './live/bus/live-bus.ts';
import { PostgresLiveBus } from './live/bus/postgres-live-bus.ts';
import { createPageRenderer, type PageRenderer, readClientBuild } from './pages/render-page.ts';
import { prepareIndex } from './search/index/index-state.ts';
import { findFault } from './unusable-files.ts';
import { openUploads, type Uploads } from './uploads/open-uploads.ts';

/** How soon live readers are sent what a command beside the server has changed. */
const elsewhereMs = 1000;

/** The services that the app works with. Tests and the demo replace some of them. */
export interface Deps {
  config: Config;
  db: Database;
  /** PostgreSQL's connections, for metrics. */
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
  /** Milliseconds since 1970. */
  now: () => number;
  /** Closes everything that was opened. */
  close: () => Promise<void>;
}

/**
 * Opens what the settings ask for, and migrates the database.
 * @param replace used instead of what the settings ask for
 * @param print prints a line for the operator when an upgrade copies the database, or when work fails
 *   that is repeated while the server runs
 * @throws DataDirInUse when another process serves from the data folder; UnfitDatabase
 */
export async function openDeps(
  config: Config,
  replace: Partial<Deps> = {},
  print: Print = () => {},
): Promise<Deps> {
  if (!config.databaseUrl || replace.db) return open(config, replace, print);
  const db = openDatabase(config, { noStatementTimeout: true });
  const sayWaiting = () =>
    print('A restore fills this database. The start waits until it has finished.');
  try {
    return await withoutRestore(db, () => open(config, replace, print), sayWaiting);
  } finally {
    await db.destroy();
  }
}

async function open(config: Config, replace: Partial<Deps>, print: Print): Promise<Deps> {
  await using opened = new AsyncDisposableStack();
  if (!config.databaseUrl) {
    // Several processes may share a PostgreSQL; an SQLite file belongs to one.
    opened.defer(lockDataDir(config.dataDir));
    inspectSqlite(config.dataDir);
  }
  // First, since nothing is shown without it.
  const ledger = await readOwnLedger(config);
  const fault = await findFault(config.dataDir, 'backups/.');
  if (fault) print(`No backup can be made: ${fault}`);
  let pool: PoolCounts | undefined;
  let sqlite: NodeSqlite | undefined;
  const db =
    replace.db ??
    openDatabase(config, {
      onPool: (counts) => {
        pool = counts;
      },
      onSqlite: (file) => {
        sqlite = file;
      },
    });
  opened.defer(() => db.destroy());
  if (isPostgres(db)) await requireVersion(db);
  const images = replace.images ?? (await openImageStore(config));
  const identify = await checkBeforeStart(config, images, print);
  await (replace.db ? migrate(db) : upgrade(config, db, print));
  await identify(db);
  const report: ReportFailure = (error, message) => print(`${message}: ${error}`);
  await prepareIndex(db).catch((error) =>
    report(error, 'preparing the search index failed; the index builder repeats it'),
  );
  const uploads = replace.uploads ?? (await openUploads(config, db));
  opened.defer(() => uploads.close());
  const live =
    replace.live ??
    (config.databaseUrl ? new PostgresLiveBus(config.databaseUrl, db) : new LiveBus());
  opened.defer(() => live.close());

  // On SQLite, commands beside the server have no bus to announce their changes.
  const responses = new ResponseCache(live, () => sqlite?.hasChangedElsewhere() ?? false);
  if (!config.databaseUrl) {
    // Requests check, too; the timer is for live streams.
    const timer = setInterval(() => {
      try {
        responses.checkElsewhere();
      } catch {
        // A failing disk: requests report it.
      }
    }, elsewhereMs).unref();
    opened.defer(() => clearInterval(timer));
  }

  const transact = config.databaseUrl ? singleTransactions(db) : groupedTransactions(db);
  // Accounts that were erased after a restored backup, or a copy put in place, are not shown again.
  // Fractions of milliseconds could not be stored.
  const clock = replace.now ?? Date.now;
  const now = () => Math.round(clock());
  const isRestored = (await findGeneration(db)) === undefined;
  if (isRestored) await postponeDeletions(db, now());
  const marked = await attempt(config, 'marking erased accounts', report, () =>
    markListed(db, ledger, now()),
  );
  if (isRestored || marked !== 0) {
    await attempt(config, 'erasing accounts', report, () =>
      eraseDueAccounts({ config, db, transact, live, images, now }),
    );
  }
  const generation = await siteGeneration(db);
  const imageOrigin = config.s3?.publicUrl && new URL(config.s3.publicUrl).origin;
  const deps: Deps = {
    config,
    db,
    pool,
    generation,
    hasFormerNames: await hasFormerNames(db, generation),
    transact,
    images,
    uploads,
    live,
    responses,
    renderPage: replace.renderPage ?? createPageRenderer(await readClientBuild(), imageOrigin),
    close: () => closing.disposeAsync(),
    ...replace,
    now,
  };
  // A restore finds a server by its listening connection. Without one it still serves.
  await live.ready().catch(() => {});
  const closing = opened.move();
  return deps;
}
