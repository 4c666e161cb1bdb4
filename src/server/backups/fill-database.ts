import { migrate, migrationNames, requireKnown } from '../database/migrations/migrate.ts';
import { findTables, type Row } from '../database/read-rows.ts';
import type { Database, Tables } from '../database/tables.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { type Manifest, manifestName } from './manifest.ts';
import { readBackup } from './read-backup.ts';

/** Values in one statement: SQLite's limit is 32,766, PostgreSQL's 65,535. */
const maxValues = 20_000;

export interface FillOptions {
  /** Tables to leave empty, although the backup has rows of them. */
  leaveEmpty?: (keyof Tables)[];
  /** Called with each image in the backup's order, after all rows are inserted. */
  onImage?: (db: Database, key: string, bytes: Buffer) => Promise<void>;
  /** Called with each key in the backup's list of images, then once with undefined. */
  onListedKey?: (db: Database, key: string | undefined) => Promise<void>;
}

/**
 * Creates the tables at the version of the backup and fills them in one transaction, which commits
 * after the last image.
 * @param manifest of the same file, checked already
 * @throws NewerDatabase when this version of the program does not know those tables
 */
export async function fillDatabase(
  db: Database,
  file: string,
  manifest: Manifest,
  { leaveEmpty = [], onImage, onListedKey }: FillOptions,
): Promise<void> {
  requireRestorable(manifest);
  await migrate(db, { upTo: manifest.migrations.at(-1) });
  const isLeftEmpty = new Set<string>(leaveEmpty);
  await db.transaction().execute(async (trx) => {
    for (const { name } of await findTables(trx)) {
      if (isLeftEmpty.has(name)) await trx.deleteFrom(name as keyof Tables).execute();
    }
    for await (const part of readBackup(file)) {
      if (part.kind === 'rows') {
        if (!isLeftEmpty.has(part.table)) await insertRows(trx, part.table, part.rows);
      } else if (part.kind === 'image') await onImage?.(trx, part.key, part.bytes);
      else if (part.kind === 'listed') await onListedKey?.(trx, part.key);
    }
    await onListedKey?.(trx, undefined);
  });
}

/** @throws NewerDatabase; DamagedBackup when no database runs these migrations in this order */
export function requireRestorable({ migrations }: Manifest): void {
  requireKnown(migrations);
  if (migrations.some((name, index) => name !== migrationNames[index])) {
    throw new DamagedBackup([`${manifestName} lists migrations in an impossible order`]);
  }
}

async function insertRows(db: Database, table: string, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length;
  const batch = Math.floor(maxValues / Math.max(1, columns));
  for (let i = 0; i < rows.length; i += batch) {
    // The table is known by name only: type it as any one of them.
    const values = rows.slice(i, i + batch) as unknown as Tables['accounts'][];
    await db
      .insertInto(table as 'accounts')
      .values(values)
      .execute();
  }
}
