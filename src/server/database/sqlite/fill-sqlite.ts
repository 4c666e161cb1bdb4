import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { renameDurably, sync } from '../../system/files.ts';
import { sqliteFile } from '../../system/settings/data-dir.ts';
import type { FillSteps } from '../engine-type.ts';
import { UnfitTarget } from '../unfit-target.ts';
import { isInUse, lockDataDir } from './file-lock.ts';
import { openSqlite } from './open-sqlite.ts';

/** File of a database that is being filled. No server starts on a file of this name. */
const partOf = (dataDir: string) => `${sqliteFile(dataDir)}.part`;

/** Fills a new database file, which is renamed to its final name once complete. @throws UnfitTarget, DataDirInUse */
export async function fillSqlite(
  dataDir: string,
  { requireEmpty, prepare, fill }: FillSteps,
): Promise<void> {
  const unlock = lockDataDir(dataDir);
  const target = sqliteFile(dataDir);
  const part = partOf(dataDir);
  const removePart = async () => {
    for (const suffix of ['', '-wal', '-shm']) await rm(part + suffix, { force: true });
  };
  try {
    for (const name of [target, `${target}-wal`]) {
      if (existsSync(name)) throw new UnfitTarget(`${name} exists.`);
    }
    await removePart();
    const db = openSqlite(part);
    try {
      await requireEmpty(db);
      await prepare();
      await fill(db);
      // Closing also checkpoints, but ignores a full disk, which would leave rows behind in the write-ahead log.
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
    } finally {
      await db.destroy();
    }
    if (existsSync(`${part}-wal`)) throw new Error(`${part}-wal is not part of ${part} yet`);
    await sync(part);
    await renameDurably(part, target);
  } catch (error) {
    await removePart();
    throw error;
  } finally {
    unlock();
  }
}

/** Whether `fillSqlite` is running. The lock distinguishes this from a killed run, which left the same file. */
export function isFilling(dataDir: string): boolean {
  return !existsSync(sqliteFile(dataDir)) && existsSync(partOf(dataDir)) && isInUse(dataDir);
}
