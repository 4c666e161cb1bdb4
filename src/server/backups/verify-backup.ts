import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { findTables, readRows } from '../database/read-rows.ts';
import { tryFileLock } from '../database/sqlite/file-lock.ts';
import { openSqlite } from '../database/sqlite/open-sqlite.ts';
import type { Database } from '../database/tables.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { fillDatabase } from './fill-database.ts';
import { imageKeys } from './make-backup.ts';
import { type Manifest, toLine } from './manifest.ts';
import { checkBackup, maxProblems } from './read-backup.ts';

/** Held in the temporary folder of a verification while it runs. */
const lockName = 'verifying.lock';

/**
 * Verifies a backup: compares all checksums, restores its rows into a temporary SQLite file, reads
 * them back, and compares the list of images with those that the rows refer to.
 * @param beside the folder of the temporary file: the system's may be in memory
 * @throws DamagedBackup
 */
export async function verifyBackup(file: string, beside = path.dirname(file)): Promise<Manifest> {
  const manifest = await checkBackup(file);
  await removeUnlocked(beside);
  const folder = await mkdtemp(path.join(beside, 'verifying-'));
  const unlock = tryFileLock(folder, lockName);
  const db = openSqlite(path.join(folder, 'restored.db'));
  try {
    const listed = new Set<string>();
    await fillDatabase(db, file, manifest, async (_, part) => {
      if (part.kind === 'listed') listed.add(part.key);
    });
    const problems = await db
      .transaction()
      .execute(async (trx) => [
        ...(manifest.pictures ? await compareImages(trx, listed) : []),
        ...(await compareRows(trx, manifest)),
      ]);
    if (problems.length > 0) throw new DamagedBackup(problems.slice(0, maxProblems));
    return manifest;
  } finally {
    await db.destroy();
    unlock?.();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of this user's killed verifications, whose locks ended with their processes. */
async function removeUnlocked(beside: string): Promise<void> {
  const names = await readdir(beside);
  for (const name of names.filter((name) => /^verifying-\w{6}$/.test(name))) {
    const folder = path.join(beside, name);
    // A folder of another user may contain links to other files.
    if ((await lstat(folder)).uid !== process.getuid?.()) continue;
    const unlock = tryFileLock(folder, lockName);
    unlock?.();
    if (unlock) await rm(folder, { recursive: true, force: true });
  }
}

/** Compares the listed images with those that the restored rows refer to. */
async function compareImages(trx: Database, listed: Set<string>): Promise<string[]> {
  const problems: string[] = [];
  for await (const key of imageKeys(trx)) {
    if (!listed.delete(key)) problems.push(`the rows refer to ${key}, which is not listed`);
  }
  for (const key of listed) problems.push(`no row refers to the image ${key}`);
  return problems;
}

async function compareRows(trx: Database, manifest: Manifest): Promise<string[]> {
  const problems: string[] = [];
  for (const table of await findTables(trx)) {
    const hash = createHash('sha256');
    for await (const rows of readRows(trx, table)) for (const row of rows) hash.update(toLine(row));
    if (hash.digest('hex') !== manifest.tables[table.name]?.sha256) {
      problems.push(`the table ${table.name} differs once it is restored`);
    }
  }
  return problems;
}
