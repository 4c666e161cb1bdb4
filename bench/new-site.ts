import { openDatabase } from '../src/server/database/database.ts';
import { migrate } from '../src/server/database/migrations/migrate.ts';
import type { Database } from '../src/server/database/tables.ts';
import { adoptImages } from '../src/server/images/site-identity.ts';
import { openImageStore } from '../src/server/images/stores/open-image-store.ts';

/** @param databaseUrl of PostgreSQL; by default SQLite in the folder */
export interface SiteData {
  dataDir: string;
  databaseUrl: string | undefined;
}

/** Opens and migrates the database of a new site. Its rows may name images that do not exist. */
export async function openNewSite(site: SiteData): Promise<Database> {
  const db = openDatabase(site, { noStatementTimeout: true });
  await migrate(db);
  const images = await openImageStore({ s3: undefined, dataDir: site.dataDir });
  await adoptImages({ db, images });
  return db;
}
