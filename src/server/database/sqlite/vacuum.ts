import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { sqliteFile } from '../../config/data-dir.ts';
import { OperatorError } from '../../operator-error.ts';
import { isPostgres } from '../is-postgres.ts';
import type { Database } from '../tables.ts';

const program = fileURLToPath(new URL('./vacuum-process.ts', import.meta.url));
const mb = 1_000_000;

/** `PRAGMA user_version` of a file that is to be vacuumed, as of files from before it was counted. */
export const vacuumDue = 0;

/** Has the file vacuumed, whatever its size, at the latest in an hour. Nothing on PostgreSQL. */
export async function requestVacuum(db: Database): Promise<void> {
  if (!isPostgres(db)) await writeFileVersion(db, vacuumDue);
}

export async function readFileVersion(db: Database): Promise<number> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db);
  return rows[0]?.user_version ?? vacuumDue;
}

export async function writeFileVersion(db: Database, version: number): Promise<void> {
  await sql`pragma user_version = ${sql.lit(version)}`.execute(db);
}

/**
 * Writes the SQLite file anew without what was deleted, in a process of its own: reads go on meanwhile,
 * and writes wait. A server that stops does not wait for it.
 * @throws OperatorError when there is not enough space
 */
export async function vacuum(dataDir: string): Promise<void> {
  const lack = await findLackOfSpace(dataDir);
  if (lack !== undefined) throw new OperatorError(lack);
  const child = spawn(process.execPath, [program, sqliteFile(dataDir)], {
    // The system's folder for temporary files may be in memory.
    env: { SQLITE_TMPDIR: path.resolve(dataDir) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.unref();
  const [code, signal] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the process that vacuums ended with ${signal ?? code}`);
}

/** A message for the operator when a vacuum would not have room; undefined when it has. */
export async function findLackOfSpace(dataDir: string): Promise<string | undefined> {
  const { size } = await stat(sqliteFile(dataDir));
  const { bavail, bsize } = await statfs(dataDir);
  // For a temporary file and for the write-ahead log.
  const [needed, free] = [2 * size, bavail * bsize];
  if (free >= needed) return undefined;
  return `the file may still contain what was erased: ${Math.ceil(needed / mb)} MB must be free to write it anew, and ${Math.floor(free / mb)} MB are`;
}
