import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Database } from '../tables.ts';
import { tryFileLock } from './file-lock.ts';

/** Any numbers that nothing else on the database takes as advisory locks. */
const housekeepingLock = 7_320_114;
const migrationLock = 7_320_115;
/** How often whoever waits for its turn asks again. */
const askAgainMs = 500;

interface Place {
  db: Database;
  config: Pick<Config, 'databaseUrl' | 'dataDir'>;
}

/**
 * Makes sure that nobody else has begun the same work. To be called before each step that must not
 * be done by two at once. @throws LockLost
 */
export type ConfirmLock = () => Promise<void>;

/** The connection that held the lock was cut: another process may be at the same work by now. */
export class LockLost extends Error {
  constructor(cause: unknown) {
    super('The connection that held the lock was lost: the work was given up.', { cause });
  }
}

/**
 * Does the work unless another process is at it: what clears images away, and what copies them. On
 * PostgreSQL the lock belongs to a connection, so it is let go of however the process ends, and lost
 * with the connection; beside an SQLite file, which one process serves and another may back up, it is
 * a file's.
 * @returns undefined when another process is at it
 */
export async function tryWithLock<T>(
  { db, config }: Place,
  work: (confirmLock: ConfirmLock) => Promise<T>,
): Promise<T | undefined> {
  if (!config.databaseUrl) {
    mkdirSync(config.dataDir, { recursive: true });
    const unlock = tryFileLock(path.join(config.dataDir, 'housekeeping.lock'));
    return unlock && work(async () => {}).finally(unlock);
  }
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_lock(${housekeepingLock}::bigint) as mine
    `.execute(connection);
    if (!rows[0]?.mine) return undefined;
    const confirmLock = async () => {
      await sql`select 1`.execute(connection).catch((error: unknown) => {
        throw new LockLost(error);
      });
    };
    try {
      return await work(confirmLock);
    } finally {
      await sql`select pg_advisory_unlock(${housekeepingLock}::bigint)`
        .execute(connection)
        // It went with its connection; what the work came to stands.
        .catch(() => {});
    }
  });
}

/** Does the same work once the others are done with theirs. */
export async function withLock<T extends object | string>(
  place: Place,
  work: (confirmLock: ConfirmLock) => Promise<T>,
): Promise<T> {
  for (;;) {
    const result = await tryWithLock(place, work);
    if (result !== undefined) return result;
    await wait(askAgainMs);
  }
}

/** Changes tables of a PostgreSQL while no other process does. @param db one that may wait long */
export async function withMigrationLock<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${migrationLock}::bigint)`.execute(connection);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${migrationLock}::bigint)`.execute(connection);
    }
  });
}
