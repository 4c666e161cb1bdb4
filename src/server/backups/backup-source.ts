import type { Config } from '../config.ts';
import { openToRead } from '../database/database.ts';
import { UnfitDatabase } from '../database/errors.ts';
import { inspectSqlite } from '../database/sqlite/inspect-sqlite.ts';
import type { Database } from '../database/tables.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { openImageStore } from '../images/stores/open-image-store.ts';

/**
 * Opens the database and the image store to back up; a server may be running on them.
 * @throws UnfitDatabase when the database is missing or damaged
 */
export async function withSource<T>(
  config: Config,
  work: (source: { config: Config; db: Database; images: ImageStore }) => Promise<T>,
): Promise<T> {
  if (!config.databaseUrl) inspectSqlite(config.dataDir);
  const db = openToRead(config);
  if (!db) throw new UnfitDatabase(`There is no database in ${config.dataDir}.`);
  try {
    return await work({ config, db, images: await openImageStore(config) });
  } finally {
    await db.destroy();
  }
}
