import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { engineOf } from '../../database/engine.ts';
import type { ConfirmLock } from '../../database/engine-type.ts';
import { readMigrations, requireKnown } from '../../database/migrations/migrate.ts';
import { findTables, readRows } from '../../database/read-rows.ts';
import type { Database } from '../../database/tables.ts';
import { isUnused } from '../../images/image-visibility.ts';
import { KeyCount } from '../../images/key-count.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import { objectKeysOf } from '../../images/stores/storage-keys.ts';
import { ArchiveWriter, type Write } from './archive-writer.ts';
import { type ImageLine, type Manifest, manifestName } from './manifest.ts';
import { objectReader } from './object-reader.ts';

export interface BackupSource {
  /** Opened without statement timeouts. */
  db: Database;
  /** Undefined to back up the rows only. */
  images: ImageStore | undefined;
}

/**
 * Writes a snapshot of the database and the images that it refers to. Call it with the housekeeping lock,
 * because the image sweep could otherwise remove an image whose row is in the snapshot. Objects that are
 * unreadable or damaged are counted in the manifest.
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
        const lines: Static<typeof ImageLine>[] = [];
        for (const key of objectKeysOf(image)) {
          await confirmLock();
          const { bytes, problem = null } = await read(key, image);
          if (bytes) {
            await archive.add(`images/${key}`, bytes);
            added++;
          }
          const sha256 = bytes ? hash('sha256', bytes) : null;
          lines.push({ key, bytes: bytes?.length ?? null, sha256, problem });
        }
        // Only the full size has a checksum; damage to variants shows in the total size.
        const storedBytes = lines.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
        if (lines[0] && storedBytes !== image.stored_bytes && !lines.some(hasProblem))
          lines[0].problem = `${image.image_id} (damaged)`;
        for (const line of lines) {
          if (!image.is_missed) line.problem = null;
          if (line.problem) lost.add(line.problem);
        }
        yield lines;
      }
  }

  const manifest = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot): Promise<Manifest> => {
      const madeAt = new Date().toISOString();
      const migrations = await readMigrations(snapshot);
      // A newer version may have tables that this backup would omit.
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

const hasProblem = ({ problem }: Static<typeof ImageLine>) => problem !== null;

/** Streams the rows of all images, ordered by id, which every collation sorts alike. */
function streamImages(snapshot: Database) {
  const query = snapshot
    .selectFrom('images')
    .select(['image_id', 'use', 'largest_variant', 'stored_bytes', 'md5'])
    .select(sql<number>`case when is_lost = 1 or ${isUnused} then 0 else 1 end`.as('is_missed'))
    .orderBy('image_id');
  return engineOf(snapshot).stream(snapshot, query);
}
