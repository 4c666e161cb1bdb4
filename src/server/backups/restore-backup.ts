import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { openDatabase, openSqlite } from '../database/database.ts';
import { lockDataDir } from '../database/locks/data-dir-lock.ts';
import { readMigrations } from '../database/migrations/migrate.ts';
import { findTables } from '../database/read-rows.ts';
import { sqliteFile } from '../database/sqlite/sqlite-file.ts';
import { renameDurably, sync } from '../database/sync-files.ts';
import type { Database } from '../database/tables.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { openImageStore } from '../images/stores/open-image-store.ts';
import { contentTypeOf, imageIdOf, variantOf } from '../images/stores/storage-keys.ts';
import { type Filling, fillDatabase, requireRestorable } from './fill-database.ts';
import type { Manifest } from './manifest.ts';
import { checkBackup, readBackup } from './read-backup.ts';

/** What a server's listening connection is called in `pg_stat_activity` (postgres-live-bus.ts). */
const listenerName = 'tertulia live';

/** Something lies where the backup should go. */
export class NotEmpty extends Error {
  constructor(what: string) {
    super(`A backup is restored into an empty place only. ${what} Nothing was changed.`);
  }
}

/** A server would go on with what it has in memory. */
export class ServerRunning extends Error {
  constructor() {
    super('A server is running on that database: stop it first. Nothing was changed.');
  }
}

interface RestoreOptions {
  /** For a move: whoever is signed in stays so, and links to a new password work. */
  keepSessions?: boolean;
}

type LeftEmpty = NonNullable<Filling['leaveEmpty']>;

interface Restoring {
  config: Config;
  images: ImageStore;
  file: string;
  manifest: Manifest;
  leaveEmpty: LeftEmpty;
}

/**
 * Restores a backup, of whichever engine and store, to where the settings point. The rows are there
 * with the last step or not at all. Sessions and links to a new password are left out unless asked
 * for: some of them were ended after the backup was made. So is the site's generation, so that the
 * next start makes another.
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
  const leaveEmpty: LeftEmpty = keepSessions ? ['site'] : ['site', 'sessions', 'password_links'];
  const restoring = { config, images, file, manifest, leaveEmpty };
  const unlock = config.databaseUrl ? () => {} : lockDataDir(config.dataDir);
  try {
    if (!config.databaseUrl) await restoreSqlite(restoring);
    else await restorePostgres(restoring);
    return manifest;
  } finally {
    unlock();
  }
}

/** Under another name until it is whole, so that a server never starts on half of it. */
async function restoreSqlite({ config, images, file, manifest, leaveEmpty }: Restoring) {
  const target = sqliteFile(config.dataDir);
  for (const name of [target, `${target}-wal`]) {
    if (existsSync(name)) throw new NotEmpty(`There is ${name}.`);
  }
  await requireNoImages(images, manifest);
  await mkdir(config.dataDir, { recursive: true });
  const part = `${target}.part`;
  const clear = async () => {
    for (const ending of ['', '-wal', '-shm']) await rm(part + ending, { force: true });
  };
  await clear();
  const db = openSqlite(part);
  try {
    await fillDatabase(db, file, manifest, { leaveEmpty, ...writingTo(images) });
    await db.destroy();
    await sync(part);
    await renameDurably(part, target);
  } catch (error) {
    await db.destroy();
    await clear();
    await removeImages(images, file);
    throw error;
  }
}

async function restorePostgres({ config, images, file, manifest, leaveEmpty }: Restoring) {
  const db = openDatabase(config, { noStatementTimeout: true });
  try {
    await requireNoRows(db, manifest);
    await requireNoServer(db);
    await requireNoImages(images, manifest);
    try {
      await fillDatabase(db, file, manifest, { leaveEmpty, ...writingTo(images) });
    } catch (error) {
      await removeImages(images, file);
      throw error;
    }
  } finally {
    await db.destroy();
  }
}

/** Empty tables are as good as none, if they are no newer than the backup's. */
async function requireNoRows(db: Database, { migrations }: Manifest): Promise<void> {
  const newer = (await readMigrations(db)).filter((name) => !migrations.includes(name));
  if (newer.length > 0) {
    throw new NotEmpty(`The database has tables of another version already (${newer.join(', ')}).`);
  }
  for (const { name } of await findTables(db)) {
    // Made by a server's first start, on empty tables too.
    if (name === 'site') continue;
    const row = await db
      .selectFrom(name as 'accounts')
      .selectAll()
      .limit(1)
      .executeTakeFirst();
    if (row) throw new NotEmpty(`The database has rows in ${name}.`);
  }
}

/**
 * A server keeps pages and the site's generation in memory. Beside an SQLite file its lock tells; on
 * PostgreSQL each of its processes has a connection that listens.
 */
async function requireNoServer(db: Database): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${listenerName} limit 1
  `.execute(db);
  if (rows.length > 0) throw new ServerRunning();
}

/** A backup of rows alone goes where its pictures are still. */
async function requireNoImages(images: ImageStore, { pictures }: Manifest): Promise<void> {
  if (!pictures) return;
  for await (const { key } of images.list()) {
    throw new NotEmpty(`There are pictures already, ${key} for one.`);
  }
}

function writingTo(images: ImageStore) {
  return {
    take: async (db: Database, key: string, bytes: Buffer) => {
      const row = await db
        .selectFrom('images')
        .select('content_type')
        .where('picture_id', '=', imageIdOf(key))
        .executeTakeFirstOrThrow();
      await images.write(key, bytes, contentTypeOf(variantOf(key), row.content_type));
    },
  };
}

/** What a restore that came to nothing has written; the place was empty before. */
async function removeImages(images: ImageStore, file: string): Promise<void> {
  for await (const part of readBackup(file)) {
    if (part.kind === 'picture') await images.remove(part.key);
  }
}
