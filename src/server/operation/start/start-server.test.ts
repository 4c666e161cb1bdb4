import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createMigratedDatabase } from '../../../../test/forum/forum.ts';
import { outcomeOf, runTertulia } from '../../../../test/processes/program.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';
import { ServerProcess } from '../../../../test/processes/server-process.ts';

describe('the server process', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-main-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  test('names all wrong settings and exits with 2', async () => {
    const { code, said } = await new ServerProcess({
      PORT: 'x',
      MAX_IMAGE_MB: '-1',
    }).ended;
    assert.equal(code, 2);
    for (const name of [/PORT/, /MAX_IMAGE_MB/]) assert.match(said, name);
  });

  test('names a foreign database file without a stack and exits with 4', async () => {
    const folder = path.join(dataDir, 'foreign');
    await mkdir(folder);
    await writeFile(path.join(folder, 'tertulia.db'), 'a letter');
    const { code, said } = await new ServerProcess({ DATA_DIR: folder }).ended;
    assert.equal(code, 4);
    assert.match(said, /tertulia\.db is damaged, or no SQLite database/);
    assert.doesNotMatch(said, /\.ts/);
  });

  test('serves, refuses a second server on its data folder, and ends cleanly on SIGTERM and SIGHUP', async () => {
    const folder = path.join(dataDir, 'site');
    await using first = await ServerProcess.start({ DATA_DIR: folder });
    assert.equal((await fetch(`${first.url}/readyz?all`)).status, 200);
    assert.deepEqual(first.logged(/PUBLIC_URL/), []);
    for (const name of ['.', 'tertulia.db', 'tertulia.db-wal', 'tertulia.db-shm', 'images']) {
      const { mode } = await stat(path.join(folder, name));
      assert.equal(mode & 0o077, 0, `only its user can open ${name}`);
    }

    const PORT = new URL(first.url).port;
    const asked = await runCommand({ DATA_DIR: folder, PORT }, 'healthcheck');
    assert.deepEqual([asked.code, /^The server responds at /m.test(asked.said)], [0, true]);

    const second = await new ServerProcess({ DATA_DIR: folder }).ended;
    assert.equal(second.code, 3);
    assert.match(second.said, /Another tertulia/);
    assert.equal((await fetch(`${first.url}/readyz?all`)).status, 200);
    assert.equal((await first.stop()).code, 0);
    const unanswered = await runCommand({ DATA_DIR: folder, PORT }, 'healthcheck');
    assert.deepEqual(
      [unanswered.code, /does not respond at .*REFUSED/.test(unanswered.said)],
      [1, true],
    );

    // `fetch` refuses this port, and the health check needs no data folder.
    const elsewhere = { DATA_DIR: path.join(folder, 'tertulia.db'), PORT: '6000' };
    const refused = await outcomeOf(runTertulia(elsewhere, 'healthcheck'));
    assert.deepEqual([refused.code, /6000\/healthz: .*REFUSED/.test(refused.said)], [1, true]);

    const command = path.join(import.meta.dirname, '../../../../bin/tertulia');
    const base = { PATH: process.env.PATH, PORT: '0', TERTULIA_ENV_FILE: '/dev/null' };
    await using third = await ServerProcess.start(
      { DATA_DIR: folder, PUBLIC_URL: 'https://foro.example' },
      (env) =>
        spawn(command, ['start'], { env: { ...base, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    assert.equal(third.logged(/Set TRUST_PROXY=1/)[0]?.level, 40);
    // Without a listener, these signals would end Node or open its debugger, which prints its address.
    third.kill('SIGUSR1');
    third.kill('SIGUSR2');
    assert.equal((await fetch(`${third.url}/healthz`)).status, 200);
    third.kill('SIGHUP');
    assert.deepEqual(await third.ended, { code: 0, said: '' });
  });

  test('names misspelt settings and the settings file, before it opens anything', async () => {
    const file = path.join(dataDir, 'site.env');
    await writeFile(file, `DATA_DIR=${path.join(dataDir, 'foreign')}\nDATABSE_URL=postgres://x\n`);
    const server = new ServerProcess({ TERTULIA_ENV_FILE: file });
    assert.equal((await server.ended).code, 4);
    assert.equal(server.logged(/^settings are from .*site\.env /).length, 1);
    const [warning] = server.logged(/^DATABSE_URL in .* did you mean DATABASE_URL\?$/);
    assert.equal(warning?.level, 40);
  });

  for (const [what, fail] of [
    ['an uncaught error', 'throw new Error("boom")'],
    ['an unhandled rejection', 'Promise.reject(new Error("boom"))'],
  ]) {
    test(`logs ${what} once and exits with 1`, async () => {
      const failing = encodeURIComponent(`process.on('SIGUSR2',()=>{${fail}})`);
      const server = await ServerProcess.start({
        DATA_DIR: dataDir,
        NODE_OPTIONS: `--import=data:text/javascript,${failing}`,
      });
      server.kill('SIGUSR2');
      const { code, said } = await server.ended;
      assert.deepEqual([code, said], [1, '']);
      assert.equal(server.logged(/^uncaught error$/).length, 1);
    });
  }

  test('logs the cause of a failed start once and ends', async () => {
    const database = await createMigratedDatabase();
    const site = { DATA_DIR: path.join(dataDir, 'on-postgres'), DATABASE_URL: database.url };
    const outcome = (env: Record<string, string>) => new ServerProcess({ ...site, ...env }).ended;
    await using other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const nowhere = 'postgres://u:p@127.0.0.1:1/d';
    try {
      const inUse = await outcome({ PORT: String(port) });
      assert.equal(inUse.code, 3);
      assert.match(inUse.said, /^Another program listens on that address.*\n$/);
      const noDatabase = await outcome({ DATABASE_URL: nowhere });
      assert.equal(noDatabase.code, 1);
      assert.match(noDatabase.said, /^PostgreSQL does not respond at 127\.0\.0\.1:1 .*\n$/);
    } finally {
      await database.drop();
    }
  });
});
