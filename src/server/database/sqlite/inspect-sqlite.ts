import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UnfitDatabase } from '../unfit-database.ts';
import { sqliteFile } from './sqlite-file.ts';

/** The first version without a fault that could damage a file in WAL mode. */
const oldestSqlite = [3, 51, 3] as const;
/** Larger files are not read through at each start: at some 500 MB a second it would take long. */
const readThroughBytes = 1_000_000_000;
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const brokenCodes = new Set([11, 26]);

/** @throws UnfitDatabase for a library older than the oldest that keeps data safe */
export function refuseOldSqlite(version = librarysVersion()): void {
  const parts = version.split('.').map(Number);
  const differing = oldestSqlite.findIndex((part, i) => part !== parts[i]);
  if (differing < 0 || (parts[differing] ?? 0) > (oldestSqlite[differing] ?? 0)) return;
  throw new UnfitDatabase(
    `SQLite is ${version} here; before ${oldestSqlite.join('.')} it could damage the database. Use the Node that npm installs (node_modules/.bin/node).`,
  );
}

/**
 * Looks at the data folder before anything is written there.
 * @throws UnfitDatabase when the database is another program's, broken, or gone from beside its data
 */
export function inspectSqlite(dataDir: string): void {
  refuseOldSqlite();
  const file = sqliteFile(dataDir);
  const isThere = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (isThere && hasRun(file)) return;
  // What a first start left unfinished goes on; where there was more, something is lost.
  const left = [path.join(dataDir, 'images'), path.join(dataDir, 'backups')].filter(
    (folder) => existsSync(folder) && readdirSync(folder).length > 0,
  );
  if (!isThere && existsSync(`${file}-wal`)) left.push(`${file}-wal`);
  if (left.length > 0) {
    throw new UnfitDatabase(
      `There is no database in ${file}, and yet there is something in ${left.join(' and ')}: the database was lost. Put it back, restore a backup into an empty folder (npm run restore), or set another DATA_DIR. No new one was made.`,
    );
  }
}

/** Whether a migration has ever run on the file. */
function hasRun(file: string): boolean {
  let db: DatabaseSync | undefined;
  try {
    // A journal beside it is of a transaction that was cut off: only who may write can undo that.
    const readOnly = !existsSync(`${file}-journal`);
    db = new DatabaseSync(file, { readOnly, timeout: 5000 });
    const tables = db.prepare(`select name from sqlite_schema where type = 'table'`).all();
    if (!tables.some(({ name }) => name === 'kysely_migration')) {
      if (tables.length === 0) return false;
      throw new UnfitDatabase(
        `${file} is another program's database. Nothing was changed. Set another DATA_DIR.`,
      );
    }
    if (statSync(file).size <= readThroughBytes) {
      const found = db.prepare('pragma quick_check(1)').get()?.quick_check;
      if (found !== 'ok') throw broken(file, found);
    }
    return db.prepare('select 1 from kysely_migration limit 1').get() !== undefined;
  } catch (error) {
    // The low byte is the kind of error, the rest its details.
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    throw brokenCodes.has(code) ? broken(file, error) : error;
  } finally {
    db?.close();
  }
}

function broken(file: string, cause: unknown): UnfitDatabase {
  return new UnfitDatabase(
    `${file} is damaged, or no SQLite database. Nothing was changed. Keep a copy of it, and restore a backup into an empty folder (npm run restore).`,
    { cause },
  );
}

function librarysVersion(): string {
  const db = new DatabaseSync(':memory:');
  try {
    return String(db.prepare('select sqlite_version() as version').get()?.version);
  } finally {
    db.close();
  }
}
