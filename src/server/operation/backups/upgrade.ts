import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { engineOf } from '../../database/engine.ts';
import { classifyStorageError, UnfitDatabase } from '../../database/errors.ts';
import { type Migrations, migrate } from '../../database/migrations/migrate.ts';
import type { Database } from '../../database/tables.ts';
import { OperatorError, type Print } from '../../system/operator-error.ts';
import type { DatabaseSettings } from '../../system/settings/config.ts';
import { backupFolder, fileTime } from './backup-folder.ts';
import { removeUnfinished } from './remove-unfinished.ts';
import { requireSpace } from './require-space.ts';

/**
 * Runs pending migrations, after copying the existing rows. When several processes share a PostgreSQL,
 * one migrates while the others wait.
 * @param migrations overrides the program's, for tests
 * @throws OtherVersion; UnfitDatabase when a migration fails, because each further attempt would leave another copy
 */
export async function upgrade(
  config: DatabaseSettings,
  db: Database,
  print: Print,
  migrations?: Migrations,
): Promise<void> {
  await engineOf(db).whileMigrating(config, db, (unlimited) =>
    migrateWithCopy(config, unlimited, print, migrations),
  );
}

async function migrateWithCopy(
  config: DatabaseSettings,
  db: Database,
  print: Print,
  migrations: Migrations | undefined,
): Promise<void> {
  // Even when no migration is pending: unfinished copies may have filled the disk.
  await removeUnfinished(backupFolder(config), /^before-.*\.part$/);
  let copy: string | undefined;
  try {
    await migrate(db, {
      migrations,
      beforeChange: async (first) => {
        copy = await copyRows(config, db, first);
        print(`before the migration ${first} the database was copied to ${copy}`);
      },
    });
  } catch (error) {
    if (!copy) throw error;
    if (classifyStorageError(error) === 'storage_full') {
      await rm(copy);
      const message = 'The migration failed, since the disk is full. The data is as it was.';
      throw new OperatorError(message, { cause: error });
    }
    const cause = error instanceof Error ? error.message : String(error);
    const message = `The migration failed (${cause}). The data is as it was; ${copy} is a copy of it. Go back to the older version.`;
    throw new UnfitDatabase(message, { cause: error });
  }
}

/** @returns the file of a backup without images: a restore of it knows that it goes back to an older state */
async function copyRows(
  config: DatabaseSettings,
  db: Database,
  migration: string,
): Promise<string> {
  const folder = backupFolder(config);
  await mkdir(folder, { recursive: true });
  // Twice the size: the migration may write as many bytes as the copy.
  await requireSpace(folder, 2 * (await engineOf(db).size(db)), `The upgrade to ${migration}`);
  const file = path.join(folder, `before-${migration}-${fileTime(Date.now())}.tar`);
  const { makeBackup } = await import('./make-backup.ts');
  // Without images no lock is needed: the sweep removes images only.
  await makeBackup({ db, images: undefined }, file, async () => {});
  return file;
}
