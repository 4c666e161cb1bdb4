import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import Fastify from 'fastify';
import { eventually } from '../../../../test/eventually.ts';
import { ServerProcess } from '../../../../test/processes/server-process.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { notifySystemd } from './notify-systemd.ts';

const missing = ['perl', 'systemd-notify'].filter(
  (program) => spawnSync(program, ['--version']).error,
);
const skip = missing.length > 0 && `${missing.join(' and ')} is missing`;

/** Prints each datagram received by a Unix socket on its own line. Node cannot listen on Unix datagram sockets. */
const printDatagrams = `
  use Socket; $| = 1;
  socket(my $socket, AF_UNIX, SOCK_DGRAM, 0) or die $!;
  bind($socket, sockaddr_un($ARGV[0])) or die $!;
  print "bound\\n";
  while (defined recv($socket, my $message, 4096, 0)) { print "$message\\n" }
`;

async function listenForSystemd(file: string) {
  const reader = spawn('perl', ['-e', printDatagrams, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const printed = createInterface(reader.stdout).on('line', (line) => lines.push(line));
  await once(printed, 'line');
  const received = (state: string) => lines.filter((line) => line === state).length;
  return { received, [Symbol.dispose]: () => void reader.kill() };
}

test('a server tells systemd when it serves, that its event loop turns, and that it stops', {
  skip,
}, async () => {
  await using folder = await temporaryFolder('notify');
  const file = path.join(folder.path, 'notify');
  using systemd = await listenForSystemd(file);
  await using server = await ServerProcess.start({
    DATA_DIR: folder.path,
    NOTIFY_SOCKET: file,
    WATCHDOG_USEC: '300000',
  });
  await eventually('it is ready', async () => systemd.received('READY=1') === 1);
  await eventually('it is alive', async () => systemd.received('WATCHDOG=1') > 2);
  assert.equal((await server.stop()).code, 0);
  await eventually('it stops', async () => systemd.received('STOPPING=1') === 1);
  assert.equal(systemd.received('READY=1'), 1);
});

test('a missing systemd-notify is logged once, and nothing runs without NOTIFY_SOCKET', async () => {
  const logged = async (env: Record<string, string>) => {
    const stream = new PassThrough();
    const { log } = Fastify({ logger: { stream } });
    await notifySystemd(log, { PATH: '/nowhere', ...env })();
    stream.end();
    return text(stream);
  };
  const missing = await logged({ NOTIFY_SOCKET: '/nowhere', WATCHDOG_USEC: '30000' });
  assert.match(missing, /^[^\n]*ENOENT.*"systemd does not learn how the server is".*\n$/);
  assert.equal(await logged({}), '');
});
