import { migrate, requireKnown } from '../database/migrate.ts';
import type { Row } from '../database/read-rows.ts';
import type { Database, Tables } from '../database/tables.ts';
import type { Manifest } from './manifest.ts';
import { readBackup } from './read-backup.ts';

/** Values that one statement may take: SQLite's limit is 32,766, PostgreSQL's 65,535. */
const maxValues = 20_000;

/** What becomes of the pictures: called in the backup's order, once every row is in its table. */
export interface PictureTaker {
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
  pictures: PictureTaker,
): Promise<void> {
  requireKnown(manifest.migrations);
  await migrate(db, { upTo: manifest.migrations.at(-1) });
  await db.transaction().execute(async (trx) => {
    for await (const part of readBackup(file)) {
      if (part.kind === 'rows') await insertRows(trx, part.table, part.rows);
      else if (part.kind === 'picture') await pictures.take?.(trx, part.key, part.bytes);
      else if (part.kind === 'listed') await pictures.listed?.(trx, part.key);
    }
    await pictures.listed?.(trx, undefined);
  });
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
