import { openToRead } from '../database/database.ts';
import { UnfitDatabase } from '../database/errors.ts';
import { readMigrations } from '../database/migrations/migrate.ts';
import { inspectSqlite } from '../database/sqlite/inspect-sqlite.ts';
import type { Database } from '../database/tables.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { openImageStore } from '../images/stores/open-image-store.ts';
import type { Config } from '../settings/config.ts';
import { describeDatabase, describeImageStore } from '../settings/places.ts';
import { imageKeys } from './make-backup.ts';

/**
 * Opens the database and the image store to back up; a server may be running on them.
 * @throws UnfitDatabase when the database is missing, damaged, without tables, or empty beside stored
 *   images, or when the image store is empty beside rows of images: the settings then name another
 *   database or image store than that of the site
 */
export async function withSource<T>(
  config: Config,
  work: (source: { config: Config; db: Database; images: ImageStore }) => Promise<T>,
): Promise<T> {
  if (!config.databaseUrl) inspectSqlite(config.dataDir);
  const db = openToRead(config);
  if (!db) throw notTheSite(config, 'it does not exist');
  try {
    const images = await openImageStore(config);
    if ((await readMigrations(db)).length === 0) throw notTheSite(config, 'it has no tables');
    const isStocked = await hasImages(images);
    if (isStocked && (await isEmpty(db))) {
      const problem = `it has no accounts and no channels, although there are images in ${describeImageStore(config)}`;
      throw notTheSite(config, problem);
    }
    if (!isStocked && (await refersToImages(db))) {
      throw new UnfitDatabase(
        `The settings name ${describeImageStore(config)}, and it is empty, although there are images in ${describeDatabase(config)}. Name the site's image store: DATA_DIR or the S3_* settings.`,
      );
    }
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

async function isEmpty(db: Database): Promise<boolean> {
  const account = await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  const channel = await db.selectFrom('channels').select('id').limit(1).executeTakeFirst();
  return !account && !channel;
}

async function refersToImages(db: Database): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    for await (const _ of imageKeys(trx)) return true;
    return false;
  });
}

async function hasImages(images: ImageStore): Promise<boolean> {
  for await (const _ of images.list()) return true;
  return false;
}
