import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { outcomeOf, startProgram } from '../../test/server-process.ts';

const startServer = (env: Record<string, string>) => startProgram('src/server/main.ts', env);

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

  test('what is no database of ours is named, without a stack, and it exits with 4', async () => {
    const folder = path.join(dataDir, 'foreign');
    await mkdir(folder);
    await writeFile(path.join(folder, 'tertulia.db'), 'a letter');
    const { code, said } = await outcomeOf(startServer({ DATA_DIR: folder }));
    assert.equal(code, 4);
    assert.match(said, /tertulia\.db is damaged, or no SQLite database/);
    assert.doesNotMatch(said, /\.ts/);
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
});
