import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createMigratedDatabase } from '../../../test/forum/forum.ts';
import { outcomeOf, runTertulia } from '../../../test/processes/program.ts';
import { runCommand } from '../../../test/processes/run-command.ts';
import { ServerProcess } from '../../../test/processes/server-process.ts';

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
      WORKERS: '2',
    }).ended;
    assert.equal(code, 2);
    for (const name of [/PORT/, /MAX_IMAGE_MB/, /WORKERS/]) assert.match(said, name);
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

  test('serves, refuses a second server on its data folder, and ends cleanly on SIGTERM', async () => {
    const first = await ServerProcess.start({ DATA_DIR: dataDir });
    assert.equal((await fetch(`${first.url}/readyz`)).status, 200);

    const PORT = new URL(first.url).port;
    const asked = await runCommand({ DATA_DIR: dataDir, PORT }, 'healthcheck');
    assert.deepEqual([asked.code, /^The server responds at /m.test(asked.said)], [0, true]);

    const second = await new ServerProcess({ DATA_DIR: dataDir }).ended;
    assert.equal(second.code, 3);
    assert.match(second.said, /Another tertulia/);
    assert.equal((await fetch(`${first.url}/readyz`)).status, 200);
    assert.equal((await first.stop()).code, 0);
    const unanswered = await runCommand({ DATA_DIR: dataDir, PORT }, 'healthcheck');
    assert.deepEqual(
      [unanswered.code, /does not respond at .*REFUSED/.test(unanswered.said)],
      [1, true],
    );

    // `fetch` refuses this port, and the health check needs no data folder.
    const elsewhere = { DATA_DIR: path.join(dataDir, 'tertulia.db'), PORT: '6000' };
    const refused = await outcomeOf(runTertulia(elsewhere, 'healthcheck'));
    assert.deepEqual([refused.code, /6000\/healthz: .*REFUSED/.test(refused.said)], [1, true]);

    const third = await ServerProcess.start({ DATA_DIR: dataDir });
    third.kill('SIGHUP');
    assert.equal((await third.ended).code, 0);
    assert.deepEqual(third.logged(/PUBLIC_URL/), []);
  });

  test('makes files and folders that only its user can open', async () => {
    const folder = path.join(dataDir, 'private');
    await using server = await ServerProcess.start({ DATA_DIR: folder });
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    for (const name of ['.', 'tertulia.db', 'tertulia.db-wal', 'tertulia.db-shm', 'images']) {
      const { mode } = await stat(path.join(folder, name));
      assert.equal(mode & 0o077, 0, name);
    }
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

  test('warns when it starts behind a proxy and PUBLIC_URL or TRUST_PROXY is missing', async () => {
    const warnings = async (env: Record<string, string>) => {
      const server = await ServerProcess.start({ DATA_DIR: dataDir, ...env });
      await server.stop();
      return server.logged(/PUBLIC_URL/).map(({ msg }) => /Set \w+/.exec(msg)?.[0]);
    };
    const PUBLIC_URL = 'https://foro.example';
    assert.deepEqual(await warnings({ TRUST_PROXY: '1' }), ['Set PUBLIC_URL']);
    assert.deepEqual(await warnings({ PUBLIC_URL }), ['Set TRUST_PROXY']);
    assert.deepEqual(await warnings({ TRUST_PROXY: '1', PUBLIC_URL }), []);
  });

  test('continues after SIGUSR1 and SIGUSR2, and opens no debugger', async () => {
    const command = path.join(import.meta.dirname, '../../../bin/tertulia');
    const base = { PATH: process.env.PATH, PORT: '0', TERTULIA_ENV_FILE: '/dev/null' };
    const server = await ServerProcess.start({ DATA_DIR: dataDir }, (env) =>
      spawn(command, ['start'], {
        env: { ...base, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    server.kill('SIGUSR1');
    server.kill('SIGUSR2');
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    const { code, said } = await server.stop();
    assert.deepEqual([code, said], [0, '']);
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

  test('logs the cause of a failed start once and ends, with one process and with several', async () => {
    const database = await createMigratedDatabase();
    const site = { DATA_DIR: path.join(dataDir, 'on-postgres'), DATABASE_URL: database.url };
    const outcome = (env: Record<string, string>) => new ServerProcess({ ...site, ...env }).ended;
    await using other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const nowhere = 'postgres://u:p@127.0.0.1:1/d';
    try {
      await Promise.all(
        ['1', '2'].map(async (WORKERS) => {
          const inUse = await outcome({ WORKERS, PORT: String(port) });
          assert.equal(inUse.code, 3);
          assert.match(inUse.said, /^Another program listens on that address.*\n$/);
          const noDatabase = await outcome({ WORKERS, DATABASE_URL: nowhere });
          assert.equal(noDatabase.code, 1);
          assert.match(noDatabase.said, /^PostgreSQL does not respond at 127\.0\.0\.1:1 .*\n$/);
        }),
      );
    } finally {
      await database.drop();
    }
  });
});
