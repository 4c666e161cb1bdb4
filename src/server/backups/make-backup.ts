import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ConfirmLock } from '../database/locks/advisory-lock.ts';
import { readMigrations } from '../database/migrations/migrate.ts';
import { findTables, readRows } from '../database/read-rows.ts';
import type { Database, Tables } from '../database/tables.ts';
import { ObjectNotFound } from '../images/stores/errors.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { objectKeysOf } from '../images/stores/storage-keys.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { ListWriter } from './list-writer.ts';
import { type Manifest, manifestName } from './manifest.ts';

export interface MadeBackup {
  manifest: Manifest;
  /** Keys of images that rows refer to and that are missing from the image store. */
  lost: string[];
}

interface BackupSource {
  /** Opened without statement timeouts. */
  db: Database;
  /** Undefined to back up the rows only. */
  images: ImageStore | undefined;
}

/**
 * Writes a snapshot of the database and the images that it refers to. Hold the lock that keeps the
 * image sweep from running (advisory-lock.ts): it could remove an image whose row is in the snapshot.
 * @throws LockLost, leaving no file
 */
export async function makeBackup(
  { db, images }: BackupSource,
  file: string,
  confirmLock: ConfirmLock,
): Promise<MadeBackup> {
  const archive = await ArchiveWriter.create(file);
  try {
    const made = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        const manifest: Manifest = {
          format: 1,
          madeAt: new Date().toISOString(),
          migrations: await readMigrations(snapshot),
          tables: await addTables(snapshot, archive),
          pictures: null,
        };
        const lost: string[] = [];
        if (images) {
          manifest.pictures = await addImages(archive, imageKeys(snapshot), async (key) => {
            await confirmLock();
            const bytes = await readImage(images, key);
            if (!bytes) lost.push(key);
            return bytes;
          });
        }
        return { manifest, lost };
      });
    await archive.add(manifestName, Buffer.from(JSON.stringify(made.manifest, null, 2)));
    await confirmLock();
    await archive.finish();
    return made;
  } catch (error) {
    await archive.abort();
    throw error;
  }
}

async function addTables(snapshot: Database, archive: ArchiveWriter): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = {};
  for (const table of await findTables(snapshot)) {
    const list = new ListWriter(archive, `rows/${table.name}`);
    for await (const row of readRows(snapshot, table)) await list.add(row);
    tables[table.name] = await list.end();
  }
  return tables;
}

async function addImages(
  archive: ArchiveWriter,
  keys: AsyncIterable<string>,
  read: (key: string) => Promise<Buffer | undefined>,
) {
  const list = new ListWriter(archive, 'pictures');
  for await (const key of keys) {
    const bytes = await read(key);
    if (bytes) await archive.add(`images/${key}`, bytes);
    const sha256 = bytes ? createHash('sha256').update(bytes).digest('hex') : null;
    await list.add({ key, bytes: bytes?.length ?? null, sha256 });
  }
  return list.end();
}

/** The key of every object that the rows refer to, in the same order on both engines. */
export async function* imageKeys(db: Database): AsyncGenerator<string> {
  const table = (await findTables(db)).find(({ name }) => name === 'images');
  if (!table) return;
  for await (const row of readRows(db, table)) {
    yield* objectKeysOf(row as unknown as Tables['images']);
  }
}

/** @returns undefined when the store has no such object */
async function readImage(images: ImageStore, key: string): Promise<Buffer | undefined> {
  try {
    return await buffer(await images.read(key));
  } catch (error) {
    if (error instanceof ObjectNotFound) return undefined;
    throw error;
  }
}
