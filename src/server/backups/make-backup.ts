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
  /** Keys of objects that rows speak of and the store has not: lost before this. */
  lost: string[];
}

interface BackupSource {
  /** One without time limits. */
  db: Database;
  /** Undefined for the rows alone. */
  images: ImageStore | undefined;
}

/**
 * Writes the database as it is at one moment and the pictures that it speaks of. Nobody else's work
 * waits; the pictures' sweep must not run meanwhile (one-at-a-time.ts), or one may go after its row
 * was written here.
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
        const migrations = await readMigrations(snapshot);
        const manifest: Manifest = {
          format: 1,
          madeAt: new Date().toISOString(),
          migrations,
          tables: await addTables(snapshot, archive),
          pictures: null,
        };
        const lost: string[] = [];
        if (images) {
          const pictures = picturesOf(snapshot, images, confirmLock);
          manifest.pictures = await addImages(pictures, archive, (key) => lost.push(key));
        }
        return { manifest, lost };
      });
    await archive.add(manifestName, Buffer.from(JSON.stringify(made.manifest, null, 2)));
    await confirmLock();
    await archive.finish();
    return made;
  } catch (error) {
    await archive.abandon();
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

/** Bytes are undefined when the store has lost them. */
async function* picturesOf(snapshot: Database, images: ImageStore, confirmLock: ConfirmLock) {
  for await (const key of imageKeys(snapshot)) {
    await confirmLock();
    yield { key, bytes: await readObject(images, key) };
  }
}

async function addImages(
  pictures: ReturnType<typeof picturesOf>,
  archive: ArchiveWriter,
  onLost: (key: string) => void,
) {
  const list = new ListWriter(archive, 'pictures');
  for await (const { key, bytes } of pictures) {
    if (bytes) await archive.add(`images/${key}`, bytes);
    else onLost(key);
    const sha256 = bytes ? createHash('sha256').update(bytes).digest('hex') : null;
    await list.add({ key, bytes: bytes?.length ?? null, sha256 });
  }
  return list.end();
}

/** The keys of every object that the rows speak of, in an order that is the same everywhere. */
export async function* imageKeys(db: Database): AsyncGenerator<string> {
  const table = (await findTables(db)).find(({ name }) => name === 'images');
  if (!table) return;
  for await (const row of readRows(db, table)) yield* objectKeysOf(row as unknown as ImageColumns);
}
type ImageColumns = Pick<Tables['images'], 'picture_id' | 'use' | 'largest_form'>;

/** @returns undefined when the store answers that it has no such object */
async function readObject(images: ImageStore, key: string): Promise<Buffer | undefined> {
  try {
    return await buffer(await images.read(key));
  } catch (error) {
    if (error instanceof ObjectNotFound) return undefined;
    throw error;
  }
}
