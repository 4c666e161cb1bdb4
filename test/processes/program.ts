import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';

const project = path.join(import.meta.dirname, '../..');

/** What `scripts/serve.sh` sets for the process, without its reading a developer's settings. */
export const serveSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
  NODE_OPTIONS: '--max-semi-space-size=2',
};

/** A program of this project as an operator starts it, with these settings and no others. */
export function startProgram(
  program: string,
  env: Record<string, string>,
  ...args: string[]
): ChildProcess {
  return spawn(process.execPath, [path.join(project, program), ...args], {
    // Away from the project, so that no .env of a developer is read.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** How it ended, and all that it said. */
export async function outcomeOf(program: ChildProcess) {
  let said = '';
  for (const stream of [program.stdout, program.stderr]) {
    assert.ok(stream);
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  const [code] = (await once(program, 'close')) as [number | null];
  return { code, said };
}
