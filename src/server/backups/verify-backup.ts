import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { openSqlite } from '../database/database.ts';
import { findTables, readRows } from '../database/read-rows.ts';
import type { Database } from '../database/tables.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { fillDatabase } from './fill-database.ts';
import { toLine } from './list-writer.ts';
import { imageKeys } from './make-backup.ts';
import type { Manifest } from './manifest.ts';
import { checkBackup, maxProblems } from './read-backup.ts';

/**
 * Verifies a backup: compares all checksums, restores its rows into a temporary SQLite file, reads
 * them back, and compares the list of images with those that the rows refer to.
 * @throws DamagedBackup
 */
export async function verifyBackup(file: string): Promise<Manifest> {
  const manifest = await checkBackup(file);
  // Beside the backup, since the system's temporary folder may be in memory.
  const folder = await mkdtemp(path.join(path.dirname(file), 'verifying-'));
  const db = openSqlite(path.join(folder, 'restored.db'));
  try {
    const problems: string[] = [];
    let keys: AsyncGenerator<string> | undefined;
    await fillDatabase(db, file, manifest, {
      onListedKey: async (trx, key) => {
        if (!manifest.pictures) return;
        keys ??= imageKeys(trx);
        const { value } = await keys.next();
        if (value !== key) {
          const expected = value ?? 'no further image';
          problems.push(`the rows refer to ${expected} where the list has ${key ?? 'none'}`);
        }
        if (key === undefined) await keys.return(undefined);
      },
    });
    problems.push(...(await compareRows(db, manifest)));
    if (problems.length > 0) throw new DamagedBackup(problems.slice(0, maxProblems));
    return manifest;
  } finally {
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compares the restored rows with the manifest. */
async function compareRows(db: Database, manifest: Manifest): Promise<string[]> {
  const problems: string[] = [];
  await db.transaction().execute(async (trx) => {
    for (const table of await findTables(trx)) {
      const hash = createHash('sha256');
      for await (const row of readRows(trx, table)) hash.update(toLine(row));
      if (hash.digest('hex') !== manifest.tables[table.name]?.sha256) {
        problems.push(`the table ${table.name} differs once it is restored`);
      }
    }
  });
  return problems;
}
