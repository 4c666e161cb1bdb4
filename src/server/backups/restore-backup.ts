import { rm } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase, openSqlite } from '../database/database.ts';
import { lockDataDir } from '../database/locks/file-lock.ts';
import { sqliteFile } from '../database/sqlite/node-sqlite.ts';
import type { Database, Tables } from '../database/tables.ts';
import { identifyRows, identifyWhole } from '../images/site-identity.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { openImageStore } from '../images/stores/open-image-store.ts';
import { contentTypeOf, imageIdOf, variantOf } from '../images/stores/storage-keys.ts';
import { renameDurably, sync } from '../images/stores/sync-files.ts';
import type { Config } from '../settings/config.ts';
import { backupFolder } from './backup-folder.ts';
import { addToLedger, ledgerIn, readLedger } from './erasure-ledger.ts';
import { fillDatabase } from './fill-database.ts';
import type { Manifest } from './manifest.ts';
import { markErased } from './mark-erased.ts';
import { checkBackup, readBackup } from './read-backup.ts';
import { requireEmptyTarget } from './restore-target.ts';

interface RestoreOptions {
  /** Keep what signs people in without their password, for moving a stopped site. */
  keepSessions?: boolean;
}

/**
 * Restores a backup of any engine and image store into those of the settings. The rows are committed
 * after the last image is written. What signs in without a password is left out unless asked for,
 * since some of it was ended after the backup; the site's generation always, so that the next start makes
 * another. Accounts in the ledger of erased accounts, which is beside the backup or in the folder of
 * backups, are erased by that start before it serves them.
 * @throws DamagedBackup, UnfitTarget, NewerDatabase, DataDirInUse, having changed nothing
 */
export async function restoreBackup(
  config: Config,
  file: string,
  { keepSessions = false }: RestoreOptions = {},
): Promise<Manifest> {
  const manifest = await checkBackup(file);
  const images = await openImageStore(config);
  const leaveEmpty: (keyof Tables)[] = keepSessions
    ? ['site', 'site_identity']
    : [
        'site',
        'site_identity',
        'devices',
        'sessions',
        'password_links',
        'recovery_codes',
        'passkey_challenges',
      ];
  const ledger = [
    ...(await readLedger(ledgerIn(path.dirname(file)))),
    ...(await readLedger(ledgerIn(backupFolder(config)))),
  ];
  let formerIdentity: unknown;
  const fill = async (db: Database) => {
    await fillDatabase(
      db,
      file,
      manifest,
      async (trx, part) => {
        if (part.kind === 'image') await writeImage(trx, images, part.key, part.bytes);
        if (part.kind === 'rows' && part.table === 'site_identity') {
          formerIdentity = part.rows[0]?.identity;
        }
        if (part.kind !== 'end') return;
        if (manifest.pictures) await identifyWhole(trx, images);
        else await identifyRows(trx, images, formerIdentity);
      },
      leaveEmpty,
    );
    await markErased(db, manifest.migrations, ledger, Date.now());
  };
  const unlock = config.databaseUrl ? () => {} : lockDataDir(config.dataDir);
  try {
    await requireEmptyTarget(config, images, manifest);
    await addToLedger(config, ledger);
    try {
      await (config.databaseUrl ? fillPostgres(config, fill) : fillSqlite(config.dataDir, fill));
    } catch (error) {
      await removeImages(images, file);
      throw error;
    }
    return manifest;
  } finally {
    unlock();
  }
}

type Fill = (db: Database) => Promise<void>;

async function fillPostgres(config: Config, fill: Fill): Promise<void> {
  const db = openDatabase(config, { noStatementTimeout: true });
  await fill(db).finally(() => db.destroy());
}

/** Fills a file named `….part`, so that a server never starts on an incomplete one. */
async function fillSqlite(dataDir: string, fill: Fill): Promise<void> {
  const target = sqliteFile(dataDir);
  const part = `${target}.part`;
  const removePart = async () => {
    for (const suffix of ['', '-wal', '-shm']) await rm(part + suffix, { force: true });
  };
  await removePart();
  const db = openSqlite(part);
  try {
    await fill(db).finally(() => db.destroy());
    await sync(part);
    await renameDurably(part, target);
  } catch (error) {
    await removePart();
    throw error;
  }
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
async function removeImages(images: ImageStore, file: string): Promise<void> {
  for await (const part of readBackup(file)) {
    if (part.kind === 'image') await images.remove(part.key);
  }
}
