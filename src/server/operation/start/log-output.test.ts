import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { freePorts } from '../../../../test/processes/free-ports.ts';
import { startsWithinMs } from '../../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';

const main = path.join(import.meta.dirname, '../command/main.ts');

/** Starts a server that logs to `target`, waits until it is ready, runs `use`, and stops it with SIGTERM. */
async function serve(
  output: string,
  use: (url: string) => Promise<void> = async () => {},
): Promise<void> {
  await using stdout = await open(output, 'w');
  const found = await stdout.stat();
  await using folder = await temporaryFolder('log');
  const [port = 0] = await freePorts(1);
  const server: ChildProcess = spawn(process.execPath, [main, 'start'], {
    env: {
      PATH: process.env.PATH,
      TERTULIA_ENV_FILE: '/dev/null',
      DATA_DIR: folder.path,
      PORT: String(port),
      LOG_LEVEL: 'debug',
      RATE_LIMITS: 'off',
      // systemd sets JOURNAL_STREAM for a service even when its output goes elsewhere.
      JOURNAL_STREAM: found.isFile() ? `${found.dev}:${found.ino}` : '0:0',
    },
    stdio: ['ignore', stdout.fd, 'inherit'],
  });
  const exited = once(server, 'exit');
  try {
    const url = `http://127.0.0.1:${port}`;
    const responds = () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually('it serves', responds, startsWithinMs);
    await use(url);
    server.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  } finally {
    server.kill('SIGKILL');
  }
}

test('a server whose log is on a full disk, or is no longer read, keeps serving, and stops when asked to', async () => {
  await using folder = await temporaryFolder('pipe');
  const pipe = path.join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await using _reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const unread = serve(pipe, async (url) => {
    // 800 log lines exceed the buffer of a pipe.
    for (let sent = 0; sent < 800; sent++) {
      const response = await fetch(`${url}/api/channels?${sent}`);
      assert.ok(response.ok);
      await response.body?.cancel();
    }
  });
  await Promise.all([serve('/dev/full'), unread]);
});

test('in the journal of systemd each line begins with its priority', async () => {
  await using folder = await temporaryFolder('journal');
  const journal = path.join(folder.path, 'journal');
  await serve(journal, async (url) => {
    await (await fetch(`${url}/api/channels`)).text();
  });
  const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
  assert.ok(lines.length > 3);
  const levels: Record<string, number> = { '<4>': 40, '<6>': 30, '<7>': 20 };
  for (const line of lines) {
    assert.equal(JSON.parse(line.slice(3)).level, levels[line.slice(0, 3)], line);
  }
});
