import { createHash } from 'node:crypto';
import type { ConfirmLock } from '../database/locks/advisory-lock.ts';
import { readMigrations, requireKnown } from '../database/migrations/migrate.ts';
import { findTables, readRows } from '../database/read-rows.ts';
import type { Database, Tables } from '../database/tables.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { objectKeysOf } from '../images/stores/storage-keys.ts';
import { unlessMissing } from '../missing.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { type Manifest, manifestName } from './manifest.ts';

interface BackupSource {
  /** Opened without statement timeouts. */
  db: Database;
  /** Undefined to back up the rows only. */
  images: ImageStore | undefined;
}

/**
 * Writes a snapshot of the database and the images that it refers to. Hold the lock that keeps the
 * image sweep from running (advisory-lock.ts): it could remove an image whose row is in the snapshot.
 * @returns the manifest, and the keys of images that are missing from the image store
 * @throws LockLost, or OtherVersion, leaving no file
 */
export async function makeBackup(
  { db, images }: BackupSource,
  file: string,
  confirmLock: ConfirmLock,
): Promise<{ manifest: Manifest; lost: string[] }> {
  const archive = await ArchiveWriter.create(file);
  const lost: string[] = [];

  /** Adds the images to the archive. @returns the lines of their list */
  async function* addImages(snapshot: Database, store: ImageStore) {
    for await (const key of imageKeys(snapshot)) {
      await confirmLock();
      const bytes = await unlessMissing(store.readWhole(key));
      if (bytes) await archive.add(`images/${key}`, bytes);
      else lost.push(key);
      const sha256 = bytes ? createHash('sha256').update(bytes).digest('hex') : null;
      yield [{ key, bytes: bytes?.length ?? null, sha256 }];
    }
  }

  try {
    const manifest = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot): Promise<Manifest> => {
        const madeAt = new Date().toISOString();
        const migrations = await readMigrations(snapshot);
        // A newer version has tables that this one would leave out.
        requireKnown(migrations);
        const tables: Manifest['tables'] = {};
        for (const table of await findTables(snapshot)) {
          const { name } = table;
          tables[name] = await archive.addList(`rows/${name}`, readRows(snapshot, table));
        }
        const pictures =
          images === undefined
            ? null
            : await archive.addList('pictures', addImages(snapshot, images));
        return { format: 1, madeAt, migrations, tables, pictures };
      });
    await archive.add(manifestName, Buffer.from(JSON.stringify(manifest, null, 2)));
    await confirmLock();
    await archive.finish();
    return { manifest, lost };
  } catch (error) {
    await archive.abort();
    throw error;
  }
}

/** The key of every object that the rows refer to, in the same order on both engines. */
export async function* imageKeys(db: Database): AsyncGenerator<string> {
  const table = (await findTables(db)).find(({ name }) => name === 'images');
  if (!table) return;
  for await (const rows of readRows(db, table)) {
    for (const row of rows) yield* objectKeysOf(row as unknown as Tables['images']);
  }
}
