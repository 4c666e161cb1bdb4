import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../test/processes/free-ports.ts';

const projectDir = path.dirname(import.meta.dirname);

/** A program under measurement that listens on a port of loopback. */
export interface Served {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** A folder of its own on the disk where the temporary files are; removed with `remove`. */
export async function temporaryFolder(copyOf?: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tertulia-bench-'));
  if (copyOf) await cp(copyOf, folder, { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The server as `npm start` runs it, once everything is built. Its log goes nowhere. */
export async function startServer(dataDir: string): Promise<Served> {
  const { scripts } = JSON.parse(readFileSync(path.join(projectDir, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const command = scripts.start.split('&& ').at(-1) ?? '';
  return serve('sh', ['-c', command], { DATA_DIR: dataDir, RATE_LIMITS: 'off' });
}

/** A program of this folder that listens on PORT. */
export function startFloor(file: string): Promise<Served> {
  return serve(process.execPath, [path.join(import.meta.dirname, file)], {});
}

async function serve(command: string, args: string[], env: Record<string, string>) {
  const [port = 0] = await freePorts(1);
  const child = spawn(command, args, {
    cwd: projectDir,
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    await pause(2);
  }
  return { port, pid: child.pid ?? 0, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
