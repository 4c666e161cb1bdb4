import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedPostgres } from './embedded-postgres.ts';

/** A real PostgreSQL for the whole run; every test app makes a database of its own in it. */
let postgres: InstanceType<typeof EmbeddedPostgres>;
let folder: string;

export async function globalSetup(): Promise<void> {
  folder = await mkdtemp(path.join(tmpdir(), 'tertulia-postgres-'));
  const port = await freePort();
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

export async function globalTeardown(): Promise<void> {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
