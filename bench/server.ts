import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const command = path.resolve(import.meta.dirname, '../bin/tertulia');
const bareServer = path.resolve(import.meta.dirname, 'bare-server.ts');
/** USER_HZ, which Linux fixes on the processors that tertulia runs on. */
const ticksPerSecond = 100;

export interface Server {
  url: string;
  /** Empty when METRICS is off. */
  metricsUrl: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the built server as `npm start` does. @throws when it exits before it listens */
export function startServer(env: Record<string, string>): Promise<Server> {
  return listen(
    spawn(command, ['start'], {
      env: {
        PATH: process.env.PATH,
        TERTULIA_ENV_FILE: '/dev/null',
        PORT: '0',
        METRICS_PORT: '0',
        RATE_LIMITS: 'off',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
}

/** Starts a bare `node:http` server that answers every request with a copy of the response of a URL. */
export function startBareServer(url: string): Promise<Server> {
  return listen(
    spawn(process.execPath, [bareServer, url], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
}

async function listen(child: ChildProcessByStdio<null, Readable, null>): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let metricsUrl = '';
  createInterface(child.stdout)
    .on('line', (line) => {
      metricsUrl ||= /metrics are at (http:[^"\s]+)/.exec(line)?.[1] ?? '';
      const url = /tertulia is at (http:[^"\s]+)/.exec(line)?.[1];
      if (url) resolve(url);
    })
    .on('close', () => reject(new Error('the server did not start')));
  return {
    url: await promise,
    metricsUrl,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

/** Processor time that a process has used so far, in microseconds. */
export function cpuMicros(pid: number): number {
  const { own } = ticksOf(pid);
  return (own / ticksPerSecond) * 1e6;
}

/** Processor time of a process and its children in microseconds, including children that have ended. */
export function cpuMicrosOfAll(pid: number): number {
  const { own, ended } = ticksOf(pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const running = children.map((child) =>
    existsSync(`/proc/${child}`) ? ticksOf(Number(child)).own : 0,
  );
  const ticks = running.reduce((sum, each) => sum + each, own + ended);
  return (ticks / ticksPerSecond) * 1e6;
}

/** Processor time in ticks, of a process and of its children that have ended. */
function ticksOf(pid: number): { own: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may contain spaces; the times are the 12th to 15th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const sum = (first: number) => Number(fields[first]) + Number(fields[first + 1]);
  return { own: sum(11), ended: sum(13) };
}
