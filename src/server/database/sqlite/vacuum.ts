import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { sqliteFile } from '../../config/data-dir.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Database } from '../tables.ts';

const program = fileURLToPath(new URL('./vacuum-process.ts', import.meta.url));
const mb = 1_000_000;

/** `PRAGMA user_version` of a file to vacuum, and of files from before this was recorded. */
export const vacuumDue = 0;

export async function readFileVersion(db: Database): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db);
  return rows[0]?.user_version ?? vacuumDue;
}

export async function writeFileVersion(db: Database, version: number): Promise<void> {
  await sql`pragma user_version = ${sql.lit(version)}`.execute(db);
}

/** How long to wait for others who read the database. Tests shorten it. */
export const readersWait = { ms: 5000 };

const intervalMs = 12 * 3_600_000;

/**
 * A larger file is vacuumed only when that was requested: writes wait meanwhile, about a second for
 * 100 MB, and fail after 3 s.
 */
const maxBytes = 100_000_000;

/**
 * Overwrites erased content in the file and its write-ahead log, twice a day, and at once when a
 * vacuum was requested. `secure_delete` overwrites deleted rows, but not the copies that SQLite leaves
 * when it moves rows between pages, nor words in the search index.
 * @throws OperatorError when there is not enough space
 */
export async function overwriteErased(
  { db, config: { dataDir } }: { db: Database; config: { dataDir: string } },
  nowMs: number,
  mergeWords: () => Promise<void>,
): Promise<void> {
  const interval = Math.floor(nowMs / intervalMs);
  const version = await readFileVersion(db);
  if (version === interval) return;
  await mergeWords();
  const { size } = await stat(sqliteFile(dataDir));
  const isVacuumed = version === vacuumDue || size <= maxBytes;
  await (isVacuumed ? vacuum(dataDir) : emptyLog(dataDir));
  await writeFileVersion(db, interval);
}

/**
 * Rewrites the SQLite file without deleted data and empties its write-ahead log, in a separate process. Reads
 * continue meanwhile, writes wait, and a server that stops does not wait for it.
 * @throws OperatorError when there is not enough space
 */
async function vacuum(dataDir: string): Promise<void> {
  const lack = await findLackOfSpace(dataDir);
  if (lack !== undefined) throw new OperatorError(lack);
  await runProcess(dataDir, []);
}

/** Empties the write-ahead log in a separate process: syncing a slow disk would block the event loop. */
function emptyLog(dataDir: string): Promise<void> {
  return runProcess(dataDir, ['log-only']);
}

async function runProcess(dataDir: string, args: string[]): Promise<void> {
  const all = [program, sqliteFile(dataDir), String(readersWait.ms), ...args];
  const child = spawn(process.execPath, all, {
    // The system's folder for temporary files may be in memory.
    env: { SQLITE_TMPDIR: path.resolve(dataDir) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.unref();
  const [code, signal] = await once(child, 'exit');
  if (code === 3) throw new Error('a command that reads the database holds its write-ahead log');
  if (code !== 0) throw new Error(`the process that vacuums ended with ${signal ?? code}`);
}

/** Returns a message for the operator when the disk has too little space to vacuum. */
async function findLackOfSpace(dataDir: string): Promise<string | undefined> {
  const { size } = await stat(sqliteFile(dataDir));
  const { bavail, bsize } = await statfs(dataDir);
  // A vacuum writes a temporary file and the write-ahead log.
  const [needed, free] = [2 * size, bavail * bsize];
  if (free >= needed) return undefined;
  return `the file may still contain what was erased: ${Math.ceil(needed / mb)} MB must be free to write it anew, and ${Math.floor(free / mb)} MB are`;
}
