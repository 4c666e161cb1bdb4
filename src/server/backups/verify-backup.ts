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
import { checkBackup } from './read-backup.ts';

/**
 * Proves a backup: compares every byte with its checksums, restores its rows into an SQLite database
 * beside it, whichever engine they come from, reads them back, and asks for each picture that they
 * speak of.
 * @throws DamagedBackup naming what is wrong
 */
export async function verifyBackup(file: string): Promise<Manifest> {
  const manifest = await checkBackup(file);
  // On the same disk: the system's temporary folder may be memory.
  const folder = await mkdtemp(path.join(path.dirname(file), 'verifying-'));
  const db = openSqlite(path.join(folder, 'aside.db'));
  try {
    const problems: string[] = [];
    let expected: AsyncGenerator<string> | undefined;
    await fillDatabase(db, file, manifest, {
      listed: async (trx, key) => {
        if (!manifest.pictures) return;
        expected ??= imageKeys(trx);
        const { value } = await expected.next();
        const told = `the rows speak of ${value ?? 'no further picture'}`;
        if (value !== key) problems.push(`${told} where the backup has ${key ?? 'no more'}`);
        if (key === undefined) await expected.return(undefined);
      },
    });
    problems.push(...(await compareRows(db, manifest)));
    if (problems.length > 0) throw new DamagedBackup(problems.slice(0, 20));
    return manifest;
  } finally {
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The restored rows, read back, against what was kept. */
async function compareRows(db: Database, manifest: Manifest): Promise<string[]> {
  const problems: string[] = [];
  await db.transaction().execute(async (trx) => {
    for (const table of await findTables(trx)) {
      const hash = createHash('sha256');
      for await (const row of readRows(trx, table)) hash.update(toLine(row));
      if (hash.digest('hex') !== manifest.tables[table.name]?.sha256) {
        problems.push(`the table ${table.name} is not the same once restored`);
      }
    }
  });
  return problems;
}
