import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { engineOf } from '../database/engine.ts';
import type { ConfirmLock } from '../database/engine-type.ts';
import { readMigrations, requireKnown } from '../database/migrations/migrate.ts';
import { findTables, readRows } from '../database/read-rows.ts';
import type { Database } from '../database/tables.ts';
import { isUnused } from '../images/image-visibility.ts';
import { KeyCount } from '../images/key-count.ts';
import type { ImageStore } from '../images/stores/image-store.ts';
import { objectKeysOf } from '../images/stores/storage-keys.ts';
import { ArchiveWriter, type Write } from './archive-writer.ts';
import { type Manifest, manifestName } from './manifest.ts';
import { objectReader } from './object-reader.ts';

export interface BackupSource {
  /** Opened without statement timeouts. */
  db: Database;
  /** Undefined to back up the rows only. */
  images: ImageStore | undefined;
}

/**
 * Writes a snapshot of the database and the images that it refers to. Hold the lock that keeps the
 * image sweep from running (the housekeeping lock): it could remove an image whose row is in the snapshot.
 * Objects that cannot be read, or are not what was stored, are counted in the manifest.
 * @throws LockLost, OtherVersion, StoreUnavailable when the bucket does not work
 */
export async function writeBackup(
  { db, images }: BackupSource,
  write: Write,
  confirmLock: ConfirmLock,
): Promise<Manifest> {
  const archive = new ArchiveWriter(write);
  const lost = new KeyCount();
  let added = 0;

  /** Adds the images to the archive. @returns the lines of their list */
  async function* addImages(snapshot: Database, store: ImageStore) {
    const read = objectReader(store);
    for await (const rows of streamImages(snapshot))
      for (const image of rows) {
        const problems: string[] = [];
        let storedBytes = 0;
        for (const key of objectKeysOf(image)) {
          await confirmLock();
          const { bytes, problem } = await read(key, image);
          if (problem) problems.push(problem);
          if (bytes) {
            await archive.add(`images/${key}`, bytes);
            added++;
            storedBytes += bytes.length;
          }
          const sha256 = bytes ? hash('sha256', bytes) : null;
          yield [{ key, bytes: bytes?.length ?? null, sha256 }];
        }
        // Only the full size has a checksum.
        if (problems.length === 0 && storedBytes !== image.stored_bytes)
          problems.push(`${image.picture_id} (damaged)`);
        if (image.is_used) for (const problem of problems) lost.add(problem);
      }
  }

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
      const counts = { images: added, lost: { ...lost } };
      return { format: 1, madeAt, migrations, tables, pictures, ...counts };
    });
  await archive.add(manifestName, Buffer.from(JSON.stringify(manifest, null, 2)));
  await confirmLock();
  await archive.finish();
  return manifest;
}

/** Streams the rows of all images, in the order of their ids, which every collation sorts alike. */
function streamImages(snapshot: Database) {
  const query = snapshot
    .selectFrom('images')
    .select(['picture_id', 'use', 'largest_form', 'stored_bytes', 'md5'])
    .select(sql<number>`case when ${isUnused} then 0 else 1 end`.as('is_used'))
    .orderBy('picture_id');
  return engineOf(snapshot).stream(snapshot, query);
}
