import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Starts the server as a process of its own. @returns its address, and how to end it */
export async function startServer(env: Record<string, string>) {
  const main = path.resolve(import.meta.dirname, '../src/server/operations/main.ts');
  const server = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, PORT: '0', RATE_LIMITS: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    url: await addressOf(server),
    stop: async () => {
      server.kill('SIGTERM');
      await once(server, 'close');
    },
  };
}

/** Reads the log until the server says where it is, and goes on emptying it. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('no output');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const lines = createInterface(stdout);
  lines.on('line', (line) => {
    const address = /tertulia is at (http:[^"\s]+)/.exec(line)?.[1];
    if (address) resolve(address);
  });
  lines.once('close', () => reject(new Error('the server did not start')));
  return promise;
}
