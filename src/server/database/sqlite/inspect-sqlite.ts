import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteFile } from '../../system/settings/data-dir.ts';
import { sqliteCode, UnfitDatabase } from '../errors.ts';
import { requireNothingLost } from '../lost-database.ts';

/** Larger files skip the integrity check at start, which reads about 500 MB a second. */
const maxCheckedBytes = 1_000_000_000;
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const corruptCodes = new Set([11, 26]);

/**
 * Checks the data folder before anything is written there.
 * @throws UnfitDatabase when the database belongs to another program, is damaged, or is missing
 *   although the folder has images or backups
 */
export function inspectSqlite(dataDir: string): void {
  const file = sqliteFile(dataDir);
  const exists = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (exists && hasMigrations(file)) return;
  // Without migrations this is a first start, unless other data shows that a database was lost.
  const wal = `${file}-wal`;
  requireNothingLost(dataDir, file, !exists && existsSync(wal) ? [wal] : []);
}

/** Whether a migration has ever run on the file. @throws as `inspectSqlite` */
function hasMigrations(file: string): boolean {
  let db: DatabaseSync | undefined;
  try {
    // SQLite must open the file for writing to roll back the transaction of a hot journal.
    const readOnly = !existsSync(`${file}-journal`);
    db = new DatabaseSync(file, { readOnly, timeout: 5000 });
    // Virtual tables have no pages of their own.
    const tables = db
      .prepare(`select name from sqlite_schema where type = 'table' and rootpage > 0`)
      .all();
    if (!tables.some(({ name }) => name === 'kysely_migration')) {
      if (tables.length === 0) return false;
      throw new UnfitDatabase(
        `${file} is another program's database. Nothing was changed. Set another DATA_DIR.`,
      );
    }
    if (statSync(file).size <= maxCheckedBytes) {
      // Check table by table, without FTS5's own check of the search index: it takes longer than the rest, and
      // a damaged index is built again. The first check covers unused pages.
      for (const name of ['sqlite_schema', ...tables.map((table) => table.name)]) {
        const found = db.prepare('select * from pragma_quick_check(?)').get(String(name));
        if (found?.quick_check !== 'ok') throw broken(file, found?.quick_check);
      }
    }
    return db.prepare('select 1 from kysely_migration limit 1').get() !== undefined;
  } catch (error) {
    throw corruptCodes.has(sqliteCode(error)) ? broken(file, error) : error;
  } finally {
    db?.close();
  }
}

function broken(file: string, cause: unknown): UnfitDatabase {
  return new UnfitDatabase(
    `${file} is damaged, or no SQLite database. Nothing was changed. Keep a copy of it, and restore a backup into an empty folder (tertulia restore).`,
    { cause },
  );
}
