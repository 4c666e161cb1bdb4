import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../src/server/database/engine.ts';
import { migrate } from '../src/server/database/migrations/migrate.ts';
import type { Database } from '../src/server/database/tables.ts';
import { isIndexComplete } from '../src/server/search-index/index-state.ts';

/** @param databaseUrl of PostgreSQL; undefined for SQLite in the folder */
export interface SiteData {
  dataDir: string;
  databaseUrl: string | undefined;
}

/** Opens and migrates the database of a new site. Its rows may refer to images that do not exist. */
export async function openNewSite(site: SiteData): Promise<Database> {
  const db = openDatabase(site, { noStatementTimeout: true });
  await migrate(db);
  return db;
}

/** Waits until the running server has indexed all comments, because indexing slows down its responses. */
export async function untilIndexed(site: SiteData): Promise<void> {
  const db = openDatabase(site, { noStatementTimeout: true });
  try {
    while (!(await isIndexComplete(db))) await delay(200);
    // Autovacuum would do the same soon; SQLite has no counterpart.
    if (site.databaseUrl) await sql`vacuum analyze`.execute(db);
  } finally {
    await db.destroy();
  }
}
