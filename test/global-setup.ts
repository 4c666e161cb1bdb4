import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '../src/server/database/engine.ts';
import { migrate } from '../src/server/database/migrations/migrate.ts';
import { timeoutsMs } from '../src/server/database/postgres/postgres-pool.ts';
import { type Swift, startSwift, whyNoSwift } from './bucket/start-swift.ts';
import { memoryFolder, removeAtEnd } from './memory-folder.ts';
import { createPostgresDatabase } from './postgres/create-database.ts';
import { OwnPostgres } from './postgres/own-postgres.ts';

/** Compiled code of the project and its packages, shared with bin/tertulia. */
process.env.NODE_COMPILE_CACHE ??= path.join(
  import.meta.dirname,
  '../node_modules/.cache/tertulia',
);

// On a busy machine a connection may take seconds.
Object.assign(timeoutsMs, { connect: 30_000 });

/** A real PostgreSQL for the whole run, in which every test app creates its own database. */
let postgres: OwnPostgres | undefined;
/** A real S3-compatible server, where one is installed. */
let swift: Swift | undefined;
/**
 * The memory that PostgreSQL needs, and twice the space that a server keeps free of uploads (system/disk-reserve.ts).
 */
const neededBytes = 4e9;
/** Contains all temporary folders of tests, and an empty SQLite site. */
let folder: string | undefined;

export async function globalSetup(): Promise<void> {
  folder = await mkdtemp(path.join(memoryFolder(neededBytes), 'tertulia-tests-'));
  removeAtEnd(folder);
  process.env.TEST_FOLDER = folder;
  const setUps = [setUpPostgres(), setUpSqlite(folder), setUpSwift()];
  try {
    await Promise.all(setUps);
  } catch (error) {
    // Otherwise the servers that did start would keep the run from ending.
    await Promise.allSettled(setUps);
    await globalTeardown();
    throw error;
  }
}

// Tests copy a migrated database, because migrating takes ten times as long on either engine.

async function setUpPostgres(): Promise<void> {
  postgres = await OwnPostgres.startInMemory(
    'max_connections=300',
    // Faster and safe here: no test loses power, and the databases live for seconds.
    'full_page_writes=off',
    'synchronous_commit=off',
    'max_wal_size=1GB',
    'jit=off',
    // Autovacuum would shrink emptied tables during a test, and statements would then get other plans.
    'autovacuum=off',
  );
  process.env.TEST_POSTGRES_URL = postgres.serverUrl;
  const { url } = await createPostgresDatabase();
  await migrateOnce({ databaseUrl: url, dataDir: '' });
  process.env.TEST_POSTGRES_TEMPLATE = new URL(url).pathname.slice(1);
}

async function setUpSqlite(dataDir: string): Promise<void> {
  await migrateOnce({ databaseUrl: undefined, dataDir });
  process.env.TEST_SQLITE_TEMPLATE = path.join(dataDir, 'tertulia.db');
}

async function migrateOnce(place: Parameters<typeof openDatabase>[0]): Promise<void> {
  const db = openDatabase(place, { noStatementTimeout: true });
  await migrate(db);
  await db.destroy();
}

/** Test files read from the environment the URL of Swift, or the reason why there is none. */
async function setUpSwift(): Promise<void> {
  const reason = await whyNoSwift();
  if (reason) {
    process.env.TEST_S3_MISSING = reason;
    return;
  }
  try {
    swift = await startSwift();
    process.env.TEST_S3_URL = swift.url;
  } catch (error) {
    // All other tests can still run, and the tests with Swift report that they were skipped.
    console.error(error);
    process.env.TEST_S3_MISSING = 'Swift is installed and did not start; see the error above';
  }
}

export async function globalTeardown(): Promise<void> {
  await Promise.all([postgres?.remove(), swift?.stop()]);
  if (folder) await rm(folder, { recursive: true, force: true });
}
