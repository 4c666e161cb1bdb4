import { openDatabase } from '../src/server/database/database.ts';
import { migrate } from '../src/server/database/migrations/migrate.ts';
import type { Database } from '../src/server/database/tables.ts';
import { adoptImages } from '../src/server/images/site-identity.ts';
import { openImageStore } from '../src/server/images/stores/open-image-store.ts';

/** @param databaseUrl of PostgreSQL; by default SQLite in the folder */
export interface Place {
  dataDir: string;
  databaseUrl: string | undefined;
}

/** Opens the database of a new site and migrates it. Its rows may name images that are not there. */
export async function openNewSite(place: Place): Promise<Database> {
  const db = openDatabase(place, { noStatementTimeout: true });
  await migrate(db);
  const images = await openImageStore({ s3: undefined, dataDir: place.dataDir });
  await adoptImages({ db, images });
  return db;
}
