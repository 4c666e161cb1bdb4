import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { createPostgresDatabase } from '../forum/forum.ts';
import { ServerProcess } from '../processes/server-process.ts';

test('a server with a worker that repeatedly fails to start logs the cause and exits with the worker’s code', async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-workers-'));
  const database = await createPostgresDatabase();
  const server = await ServerProcess.start({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    WORKERS: '2',
  });
  const workers = () => server.logged(/^listening$/).map(({ pid }) => pid);
  await eventually('both workers listen', async () => workers().length === 2, 60_000);
  await database.drop();
  const [one = 0] = workers();
  const killedMs = Date.now();
  process.kill(one, 'SIGKILL');
  const { code, said } = await server.ended;
  t.diagnostic(`the server exited after ${Date.now() - killedMs} ms`);
  assert.equal(code, 1);
  assert.match(said, /^(PostgreSQL at \S+ does not have the database in DATABASE_URL\. .+\n)+$/);
  assert.equal(server.logged(/failed to start repeatedly/).length, 1);
  await rm(dataDir, { recursive: true, force: true });
});
