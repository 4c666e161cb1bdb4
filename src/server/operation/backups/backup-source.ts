import { engineNamed } from '../../database/engine.ts';
import { UnfitDatabase } from '../../database/errors.ts';
import { readMigrations, requireKnown } from '../../database/migrations/migrate.ts';
import type { Database } from '../../database/tables.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import { openImageStore } from '../../images/stores/open-image-store.ts';
import type { Config } from '../../system/settings/config.ts';
import { describeDatabase } from '../../system/settings/describe-stores.ts';

/** A database and an image store that are backed up together. */
export interface BackedUpSite {
  config: Config;
  db: Database;
  images: ImageStore;
}

/**
 * Opens the database and the image store for a backup. A server may be running on them.
 * @throws UnfitDatabase when the database is missing, damaged or without tables
 */
export async function withSource<T>(
  config: Config,
  work: (site: BackedUpSite) => Promise<T>,
): Promise<T> {
  const engine = engineNamed(config);
  engine.inspect(config);
  const db = engine.openToRead(config);
  if (!db) throw notTheSite(config, 'it does not exist');
  try {
    const images = await openImageStore(config);
    const migrations = await readMigrations(db);
    if (migrations.length === 0) throw notTheSite(config, 'it has no tables');
    requireKnown(migrations);
    return await work({ config, db, images });
  } finally {
    await db.destroy();
  }
}

function notTheSite(config: Config, problem: string): UnfitDatabase {
  return new UnfitDatabase(
    `The settings name ${describeDatabase(config)}, and ${problem}. If that is not the site's database, name its settings: --env-file FILE, TERTULIA_ENV_FILE or DATABASE_URL.`,
  );
}
