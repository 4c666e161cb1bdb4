import { migrate, migrationNames, requireKnown } from '../database/migrations/migrate.ts';
import { findTables, type Row } from '../database/read-rows.ts';
import type { Database, Tables } from '../database/tables.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { type Manifest, manifestName } from './manifest.ts';
import { readBackup } from './read-backup.ts';

/** Values that one statement may take: SQLite's limit is 32,766, PostgreSQL's 65,535. */
const maxValues = 20_000;

export interface Filling {
  /** Tables that are left empty, whatever the backup has of them. */
  leaveEmpty?: (keyof Tables)[];
  /** Is given each picture, in the backup's order, once every row is in its table. */
  take?: (db: Database, key: string, bytes: Buffer) => Promise<void>;
  /** Hears of each key that the backup lists, and at the end of none. */
  listed?: (db: Database, key: string | undefined) => Promise<void>;
}

/**
 * Makes the tables as they were when the backup was made, and fills them in one transaction that
 * ends after the last picture.
 * @param manifest of the same file, checked already
 * @throws NewerDatabase when this program does not know those tables
 */
export async function fillDatabase(
  db: Database,
  file: string,
  manifest: Manifest,
  { leaveEmpty = [], take, listed }: Filling,
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
      } else if (part.kind === 'picture') await take?.(trx, part.key, part.bytes);
      else if (part.kind === 'listed') await listed?.(trx, part.key);
    }
    await listed?.(trx, undefined);
  });
}

/** @throws NewerDatabase, DamagedBackup when its migrations are none that a database goes through */
export function requireRestorable({ migrations }: Manifest): void {
  requireKnown(migrations);
  if (migrations.some((name, index) => name !== migrationNames[index])) {
    throw new DamagedBackup([`${manifestName} names migrations in an order that there never was`]);
  }
}

async function insertRows(db: Database, table: string, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length;
  const batch = Math.floor(maxValues / Math.max(1, columns));
  for (let i = 0; i < rows.length; i += batch) {
    // Tables by name: the types of one known table stand for any.
    const values = rows.slice(i, i + batch) as unknown as Tables['accounts'][];
    await db
      .insertInto(table as 'accounts')
      .values(values)
      .execute();
  }
}
