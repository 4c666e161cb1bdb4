import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { pageRoutes } from '../src/shared/routes.ts';
import { ForumClient } from '../test/forum/forum-client.ts';
import { LiveReader } from '../test/forum/live-reader.ts';
import { freePorts } from '../test/processes/free-ports.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

/** Waits until the server prints its URL. @throws when it ends before */
async function listening(stdout: Readable): Promise<void> {
  for await (const line of createInterface({ input: stdout })) {
    if (line.startsWith('tertulia for development')) return;
  }
  throw new Error('the server ended');
}

test('npm run dev renders pages, hands out the sources as scripts, and streams', async () => {
  await using folder = await temporaryFolder('dev');
  const [port] = await freePorts(1);
  const dev = spawn(process.execPath, ['scripts/dev.ts'], {
    cwd: path.dirname(import.meta.dirname),
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: folder.path, RATE_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(dev, 'exit');
  try {
    await listening(dev.stdout);
    const forum = new ForumClient(`http://127.0.0.1:${port}`);
    const home = await forum.call('GET', pageRoutes.home);
    assert.equal(home.status, 200);
    const html = await home.text();
    assert.match(html, /Bienvenidos a tertulia/);
    const [, script = ''] = /src="(\/src\/client\/[^"]+)"/.exec(html) ?? [];
    const source = await forum.call('GET', script);
    assert.match(source.headers.get('content-type') ?? '', /javascript/);

    const person = await forum.person();
    const channel = await forum.channel(person);
    const reader = await LiveReader.open(forum, channel._id);
    const comment = await forum.comment(person, channel._id, 'Hola');
    assert.deepEqual(await reader.nextComment(), comment);
    reader.close();
    dev.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  } finally {
    // Does nothing after it has ended.
    dev.kill('SIGKILL');
    await ended;
  }
});
