import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from '../processes/free-ports.ts';
import { type SwiftLayout, storageServices, swiftFiles } from './swift-files.ts';

const run = promisify(execFile);
/** Time limit of a start, which usually takes four seconds. */
const startLimitMs = 90_000;
// A developer's own Python modules must not shadow the modules of the system's Swift.
const env = { ...process.env, PYTHONPATH: '' };

export interface Swift {
  /** Base URL of its S3 API and its own API. */
  url: string;
  stop: () => Promise<void>;
}

/** The reason why Swift cannot be started on this machine; undefined when it can. */
export async function whyNoSwift(): Promise<string | undefined> {
  const programs = ['memcached', 'swift-ring-builder', 'swift-proxy-server'];
  programs.push(...storageServices.map((service) => `swift-${service}-server`));
  const found = await Promise.allSettled(programs.map((program) => run('which', [program])));
  const missing = programs.filter((_, i) => found[i]?.status === 'rejected');
  if (missing.length === 0) return undefined;
  return `no S3-compatible server for tests: ${missing.join(', ')} not installed`;
}

/**
 * Starts a one-node OpenStack Swift with its S3 API from the system's packages, in a temporary folder.
 * @throws when it does not start in time; the message contains the log of its processes
 */
export async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-swift-'));
  const [proxy = 0, account = 0, container = 0, object = 0, cache = 0] = await freePorts(5);
  const layout: SwiftLayout = {
    settings: path.join(folder, 'settings'),
    devices: path.join(folder, 'devices'),
    user: userInfo().username,
    ports: { proxy, account, container, object, cache },
  };
  await mkdir(layout.settings);
  await mkdir(path.join(layout.devices, 'disk'), { recursive: true });
  for (const [name, text] of swiftFiles(layout)) {
    await writeFile(path.join(layout.settings, name), text);
  }
  await buildRings(layout);

  const log = path.join(folder, 'log');
  const logFile = openSync(log, 'a');
  const start = (program: string, args: string[]) =>
    spawn(program, args, {
      stdio: ['ignore', logFile, logFile],
      env: { ...env, SWIFT_DIR: layout.settings },
    });
  const processes = [
    start('memcached', ['-u', layout.user, '-l', '127.0.0.1', '-p', String(cache)]),
    ...[...storageServices, 'proxy'].map((service) =>
      start(`swift-${service}-server`, [path.join(layout.settings, `${service}.conf`)]),
    ),
  ];
  const stop = async () => {
    await Promise.all(processes.map(kill));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  // Kill it when the test run ends without calling stop().
  process.once('exit', () => {
    for (const one of processes) one.kill('SIGKILL');
  });
  try {
    await Promise.all(Object.values(layout.ports).map((port) => listening(port, processes)));
  } catch (error) {
    const output = await readFile(log, 'utf8');
    await stop();
    throw new Error(`Swift did not start: ${output.slice(-2000)}`, { cause: error });
  }
  return { url: `http://127.0.0.1:${proxy}`, stop };
}

/** What `swift-ring-builder` does, in one process for all services instead of three for each. */
const ringScript = `
import sys
from swift.common.ring import RingBuilder

folder, *services = sys.argv[1:]
for service in services:
    name, port = service.split(':')
    builder = RingBuilder(4, 1, 0)
    builder.add_dev(dict(region=1, zone=1, ip='127.0.0.1', port=int(port), device='disk', weight=1,
                         replication_ip='127.0.0.1', replication_port=int(port), meta=''))
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{name}.ring.gz')
`;

/** Writes the rings of the storage services, which map all objects to the only device. */
async function buildRings({ settings, ports }: SwiftLayout): Promise<void> {
  const services = storageServices.map((service) => `${service}:${ports[service]}`);
  // Debian's packages are for its own Python.
  await run('/usr/bin/python3', ['-c', ringScript, settings, ...services], { env });
}

/** Resolves once the port accepts connections. @throws when a process ended, or after the time limit */
async function listening(port: number, processes: ChildProcess[]): Promise<void> {
  const untilMs = Date.now() + startLimitMs;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      const ended = processes.find((one) => one.exitCode !== null);
      if (ended) throw new Error(`${ended.spawnfile} ended with ${ended.exitCode}`);
      if (Date.now() > untilMs) throw error;
      await wait(50);
    } finally {
      socket.destroy();
    }
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
