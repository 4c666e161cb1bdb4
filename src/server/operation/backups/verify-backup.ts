import Type from 'typebox';
import { Value } from 'typebox/value';
import { UploadUse } from '../../../shared/images.ts';
import { migrate, migrationNames } from '../../database/migrations/migrate.ts';
import { findTables } from '../../database/read-rows.ts';
import { openSqlite } from '../../database/sqlite/open-sqlite.ts';
import { objectKeysOf } from '../../images/stores/storage-keys.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { type Manifest, manifestName } from './manifest.ts';
import { maxProblems, readBackup } from './read-backup.ts';

const ImageRow = Type.Object({
  image_id: Type.String(),
  use: UploadUse,
  largest_variant: Type.Number(),
});

/**
 * Reads a whole backup and compares it with its checksums and counts, the columns of its rows with the tables' columns,
 * and the list of images with the images that its rows refer to.
 * @returns its manifest @throws DamagedBackup; OtherVersion
 */
export async function verifyBackup(file: string): Promise<Manifest> {
  const columns = new Map<string, Set<string>>();
  const keys = new Set<string>();
  const unknownKeys: string[] = [];
  let manifest: Manifest | undefined;
  for await (const part of readBackup(file)) {
    if (part.kind === 'end') manifest = part.manifest;
    if (part.kind === 'listed' && !keys.delete(part.key)) unknownKeys.push(part.key);
    if (part.kind !== 'rows') continue;
    const found = columns.get(part.table) ?? new Set();
    columns.set(part.table, found);
    for (const row of part.rows) {
      found.add(Object.keys(row).sort().join(', '));
      if (part.table === 'images' && Value.Check(ImageRow, row))
        for (const key of objectKeysOf(row)) keys.add(key);
    }
  }
  const migrations = manifest?.migrations ?? [];
  if (!manifest || migrations.some((name, index) => name !== migrationNames[index])) {
    throw new DamagedBackup([`${manifestName} lists migrations in an impossible order`]);
  }
  const problems = unknownKeys.map((key) => `no row refers to the image ${key}`);
  if (manifest.pictures)
    for (const key of keys) problems.push(`the rows refer to ${key}, which is not listed`);
  for (const [name, expected] of await readSchema(migrations.at(-1))) {
    if (!Object.hasOwn(manifest.tables, name)) problems.push(`rows/${name} is missing`);
    for (const found of columns.get(name) ?? [])
      if (found !== expected) problems.push(`rows/${name} has other columns than that table`);
    columns.delete(name);
  }
  for (const name of columns.keys()) problems.push(`rows/${name}: unknown table`);
  if (problems.length > 0) throw new DamagedBackup(problems.slice(0, maxProblems));
  return manifest;
}

/** The column names of each table after this migration. */
async function readSchema(migration: string | undefined): Promise<Map<string, string>> {
  const db = openSqlite(':memory:');
  try {
    await migrate(db, { upTo: migration });
    const tables = await findTables(db);
    const namesOf = (columns: { name: string }[]) => columns.map(({ name }) => name).sort();
    return new Map(tables.map(({ name, columns }) => [name, namesOf(columns).join(', ')]));
  } finally {
    await db.destroy();
  }
}
