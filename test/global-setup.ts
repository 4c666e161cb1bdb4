import { openDatabase } from '../src/server/database/database.ts';
import { migrate } from '../src/server/database/migrations/migrate.ts';
import { type Swift, startSwift, whyNoSwift } from './bucket/start-swift.ts';
import { createPostgresDatabase } from './postgres/create-database.ts';
import { OwnPostgres } from './postgres/own-postgres.ts';

/** A real PostgreSQL for the whole run; every test app makes a database of its own in it. */
let postgres: OwnPostgres | undefined;
/** A real S3-compatible server too, where one can be had. */
let swift: Swift | undefined;

export async function globalSetup(): Promise<void> {
  await Promise.all([setUpPostgres(), setUpSwift()]);
}

async function setUpPostgres(): Promise<void> {
  postgres = await OwnPostgres.start('max_connections=300');
  process.env.TEST_POSTGRES_URL = postgres.serverUrl;
  process.env.TEST_POSTGRES_TEMPLATE = await createTemplate();
}

/** Migrating takes ten times as long as copying a migrated database. @returns the template's name */
async function createTemplate(): Promise<string> {
  const { url } = await createPostgresDatabase();
  const db = openDatabase({ databaseUrl: url, dataDir: '' }, { noStatementTimeout: true });
  await migrate(db);
  await db.destroy();
  return new URL(url).pathname.slice(1);
}

/** Test files find in the environment where it is, or why there is none. */
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
    // All other tests can still run, and these say that they did not.
    console.error(error);
    process.env.TEST_S3_MISSING = 'Swift is installed and did not start; see the error above';
  }
}

export async function globalTeardown(): Promise<void> {
  await Promise.all([postgres?.remove(), swift?.stop()]);
}
