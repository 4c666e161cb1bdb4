import { mkdir, rm } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { openDatabase, openSqlite } from '../database/database.ts';
import { lockDataDir } from '../database/locks/data-dir-lock.ts';
import { sqliteFile } from '../database/sqlite/sqlite-file.ts';
import { renameDurably, sync } from '../database/sync-files.ts';
import type { Database } from '../database/tables.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { openImageStore } from '../images/stores/open-image-store.ts';
import { contentTypeOf, imageIdOf, variantOf } from '../images/stores/storage-keys.ts';
import { type FillOptions, fillDatabase, requireRestorable } from './fill-database.ts';
import type { Manifest } from './manifest.ts';
import { checkBackup, readBackup } from './read-backup.ts';
import {
  requireNoImages,
  requireNoRows,
  requireNoServer,
  requireNoSqlite,
} from './restore-target.ts';

interface RestoreOptions {
  /** Keep sessions and links to a new password, for moving a stopped site. */
  keepSessions?: boolean;
}

interface Restore {
  config: Config;
  images: ImageStore;
  file: string;
  manifest: Manifest;
  leaveEmpty: NonNullable<FillOptions['leaveEmpty']>;
}

/**
 * Restores a backup of any engine and image store into those of the settings. The rows are committed
 * after the last image is written. Sessions and links to a new password are left out unless asked for,
 * since some were ended after the backup; the site's generation always, so that the next start makes
 * another.
 * @throws DamagedBackup, NotEmpty, NewerDatabase, DataDirInUse, ServerRunning, having changed nothing
 */
export async function restoreBackup(
  config: Config,
  file: string,
  { keepSessions = false }: RestoreOptions = {},
): Promise<Manifest> {
  const manifest = await checkBackup(file);
  requireRestorable(manifest);
  const images = await openImageStore(config);
  const leaveEmpty: Restore['leaveEmpty'] = keepSessions
    ? ['site']
    : ['site', 'sessions', 'password_links'];
  const restore = { config, images, file, manifest, leaveEmpty };
  const unlock = config.databaseUrl ? () => {} : lockDataDir(config.dataDir);
  try {
    if (config.databaseUrl) await restorePostgres(restore);
    else await restoreSqlite(restore);
    return manifest;
  } finally {
    unlock();
  }
}

/** Restores into a file named `….part`, so that a server never starts on an incomplete one. */
async function restoreSqlite(restore: Restore): Promise<void> {
  const { config, images, manifest } = restore;
  const target = sqliteFile(config.dataDir);
  requireNoSqlite(target);
  await requireNoImages(images, manifest);
  await mkdir(config.dataDir, { recursive: true });
  const part = `${target}.part`;
  const removePart = async () => {
    for (const suffix of ['', '-wal', '-shm']) await rm(part + suffix, { force: true });
  };
  await removePart();
  const db = openSqlite(part);
  try {
    await restoreContent(db, restore);
    await db.destroy();
    await sync(part);
    await renameDurably(part, target);
  } catch (error) {
    await db.destroy();
    await removePart();
    await removeImages(restore);
    throw error;
  }
}

async function restorePostgres(restore: Restore): Promise<void> {
  const { config, images, manifest } = restore;
  const db = openDatabase(config, { noStatementTimeout: true });
  try {
    await requireNoRows(db, manifest);
    await requireNoServer(db);
    await requireNoImages(images, manifest);
    try {
      await restoreContent(db, restore);
    } catch (error) {
      await removeImages(restore);
      throw error;
    }
  } finally {
    await db.destroy();
  }
}

function restoreContent(db: Database, { images, file, manifest, leaveEmpty }: Restore) {
  return fillDatabase(db, file, manifest, {
    leaveEmpty,
    onImage: (trx, key, bytes) => writeImage(trx, images, key, bytes),
  });
}

async function writeImage(
  db: Database,
  images: ImageStore,
  key: string,
  bytes: Buffer,
): Promise<void> {
  const row = await db
    .selectFrom('images')
    .select('content_type')
    .where('picture_id', '=', imageIdOf(key))
    .executeTakeFirstOrThrow();
  await images.write(key, bytes, contentTypeOf(variantOf(key), row.content_type));
}

/** Removes what a failed restore has written; the image store was empty before. */
async function removeImages({ images, file }: Restore): Promise<void> {
  for await (const part of readBackup(file)) {
    if (part.kind === 'image') await images.remove(part.key);
  }
}
