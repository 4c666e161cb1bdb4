import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../test/eventually.ts';

const main = path.join(import.meta.dirname, 'main.ts');

function startServer(env: Record<string, string>, nodeOptions: string[] = []): ChildProcess {
  return spawn(process.execPath, [...nodeOptions, main], {
    // Away from the project, so that no .env of a developer is read.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Reads the log until the server says where it is. */
async function addressOf(server: ChildProcess): Promise<string> {
  assert.ok(server.stdout);
  for await (const line of createInterface(server.stdout)) {
    const { msg } = JSON.parse(line) as { msg: string };
    const address = /^tertulia is at (http:\S+)$/.exec(msg)?.[1];
    if (address) return address;
  }
  throw new Error('the server ended without saying where it is');
}

async function outcomeOf(server: ChildProcess) {
  let said = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const [code] = (await once(server, 'close')) as [number | null];
  return { code, said };
}

describe('the server process', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-main-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  test('wrong settings are all named and it exits with 2', async () => {
    const { code, said } = await outcomeOf(startServer({ PORT: 'x', MAX_IMAGE_MB: '-1' }));
    assert.equal(code, 2);
    assert.match(said, /PORT/);
    assert.match(said, /MAX_IMAGE_MB/);
  });

  test('it serves, refuses a second one on its data, and ends cleanly on SIGTERM', async () => {
    const first = startServer({ DATA_DIR: dataDir });
    const url = await addressOf(first);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);

    const second = await outcomeOf(startServer({ DATA_DIR: dataDir }));
    assert.equal(second.code, 3);
    assert.match(second.said, /Another tertulia/);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);

    first.kill('SIGTERM');
    assert.equal((await outcomeOf(first)).code, 0);

    const third = startServer({ DATA_DIR: dataDir });
    await addressOf(third);
    third.kill('SIGTERM');
    assert.equal((await outcomeOf(third)).code, 0);
  });

  for (const [what, fail] of [
    ['an error that nobody catches', 'throw new Error("boom")'],
    ['a rejection that nobody handles', 'Promise.reject(new Error("boom"))'],
  ]) {
    test(`${what} is logged once and ends it with 1`, async () => {
      const failing = `data:text/javascript,process.on('SIGUSR2',()=>{${fail}})`;
      const server = startServer({ DATA_DIR: dataDir }, ['--import', failing]);
      let logged = '';
      server.stdout?.on('data', (chunk: Buffer) => {
        logged += chunk;
      });
      await eventually('it serves', async () => logged.includes('tertulia is at'), 60_000);
      server.kill('SIGUSR2');
      const { code, said } = await outcomeOf(server);
      assert.equal(code, 1);
      assert.equal(said, '');
      const fatal = logged.split('\n').filter((line) => line.includes('boom'));
      assert.equal(fatal.length, 1);
      assert.match(fatal[0] ?? '', /"level":60.*uncaught error/);
    });
  }
});
