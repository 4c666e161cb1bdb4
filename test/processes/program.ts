import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const project = path.join(import.meta.dirname, '../..');

const serveScript = readFileSync(path.join(project, 'scripts/serve.sh'), 'utf8');

/** The memory settings of `scripts/serve.sh`; the script itself would read a developer's .env. */
export const serveSettings: Record<string, string> = {
  ...Object.fromEntries(
    serveScript.match(/MALLOC_\w+=\d+/g)?.map((setting) => setting.split('=')) ?? [],
  ),
  NODE_OPTIONS: serveScript.match(/--max-semi-space-size=\d+/)?.[0] ?? '',
};

/** Starts a program of this project with only these settings. It ends with the caller. */
export function startProgram(
  program: string,
  env: Record<string, string>,
  ...args: string[]
): ChildProcess {
  const child = spawn(process.execPath, [path.join(project, program), ...args], {
    // Outside the project, so that a developer's .env is not read.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  return child;
}

/** @returns its exit code and all its output */
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
