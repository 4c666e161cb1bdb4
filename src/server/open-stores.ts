import { ResponseCache } from './cache/response-cache.ts';
import type { Config } from './config/config.ts';
import { engineOf, openDatabase } from './database/engine.ts';
import type { PoolCounts } from './database/postgres/postgres-pool.ts';
import { publishing } from './database/transactions.ts';
import type { Deps } from './deps-type.ts';
import { openImageStore } from './images/stores/open-image-store.ts';
import { LiveBus } from './live/bus/live-bus.ts';
import type { Print } from './operator-error.ts';
import { upgradeSite } from './start-up.ts';
import { openUploads } from './uploads/open-uploads.ts';

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
  const onPool = (counts: PoolCounts) => {
    pool = counts;
  };
  const db = replace.db ?? openDatabase(config, { onPool });
  opened.defer(() => db.destroy());
  const images = replace.images ?? (await openImageStore(config));
  await upgradeSite({ config, db }, { print, isOpened: replace.db !== undefined });
  const uploads = replace.uploads ?? openUploads(config);
  const live = replace.live ?? new LiveBus();
  opened.defer(() => live.close());
  if (!replace.live) await live.listen(config, db);
  const responses = new ResponseCache(live);
  const transact = publishing(engineOf(db).transactions(db), live);
  return { db, pool, images, uploads, live, responses, transact };
}
