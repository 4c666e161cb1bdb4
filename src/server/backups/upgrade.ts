import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { openDatabase } from '../database/database.ts';
import { withMigrationLock } from '../database/locks/advisory-lock.ts';
import { type Migrations, migrate } from '../database/migrations/migrate.ts';
import { renameDurably, sync } from '../database/sync-files.ts';
import type { Database } from '../database/tables.ts';
import { backupFolder, fileTime } from './backup-folder.ts';

/** Says a line to the person who runs the site. */
export type Tell = (line: string) => void;

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

/**
 * Migrates what is due, after a copy of the rows that are there. Of several processes on one
 * PostgreSQL one does it, and the others wait.
 * @param migrations other than the forum's own, for tests
 * @throws NewerDatabase
 */
export async function upgrade(
  config: Place,
  db: Database,
  tell: Tell,
  migrations?: Migrations,
): Promise<void> {
  if (!config.databaseUrl) return upgradeNow(config, db, tell, migrations);
  // A migration may take longer than any other statement, and another process may be at it.
  const noStatementTimeout = openDatabase(config, { noStatementTimeout: true });
  try {
    await withMigrationLock(noStatementTimeout, () =>
      upgradeNow(config, noStatementTimeout, tell, migrations),
    );
  } finally {
    await noStatementTimeout.destroy();
  }
}

async function upgradeNow(
  config: Place,
  db: Database,
  tell: Tell,
  migrations: Migrations | undefined,
): Promise<void> {
  let copy: string | undefined;
  try {
    await migrate(db, {
      migrations,
      beforeChange: async (first) => {
        copy = await copyRows(config, db, first);
        tell(`before the migration ${first} the database was copied to ${copy}`);
      },
    });
  } catch (error) {
    if (!copy) throw error;
    const message = `The migration failed. The data is as it was; a copy of it lies in ${copy}.`;
    throw new Error(message, { cause: error });
  }
}

/** @returns the file: a whole SQLite database, or of a PostgreSQL a backup without pictures */
async function copyRows(config: Place, db: Database, migration: string): Promise<string> {
  const folder = backupFolder(config);
  const name = `before-${migration}-`;
  await mkdir(folder, { recursive: true });
  // Of an upgrade that came to nothing, since it is due again: the data is still in its place.
  const earlier = (await readdir(folder)).filter((one) => one.startsWith(name));
  const ending = config.databaseUrl ? 'tar' : 'sqlite';
  const file = path.join(folder, `${name}${fileTime(Date.now())}.${ending}`);
  if (config.databaseUrl) {
    const { makeBackup } = await import('./make-backup.ts');
    // Rows alone: there is nothing that another process could clear away meanwhile.
    await makeBackup({ db, images: undefined }, file, async () => {});
  } else {
    const part = `${file}.part`;
    await sql`vacuum into ${part}`.execute(db);
    await sync(part);
    await renameDurably(part, file);
  }
  for (const one of earlier) await rm(path.join(folder, one));
  return file;
}
