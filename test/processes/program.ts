import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const project = path.join(import.meta.dirname, '../..');

const command = readFileSync(path.join(project, 'bin/tertulia'), 'utf8');

/** The memory settings of `bin/tertulia`. */
export const serveSettings: Record<string, string> = Object.fromEntries(
  command.match(/MALLOC_\w+=\d+/g)?.map((setting) => setting.split('=')) ?? [],
);
/** Node's options in `bin/tertulia`. */
const nodeOptions = /^exec "\$node" (.+) --/m.exec(command)?.[1]?.split(' ') ?? [];

/** Runs a command of `tertulia` with only these settings. It is killed when this process exits. */
export function runTertulia(env: Record<string, string>, ...args: string[]): ChildProcess {
  // An empty settings file replaces a developer's own.
  return startProgram(
    'src/server/operation/command/main.ts',
    { TERTULIA_ENV_FILE: '/dev/null', ...env },
    ...args,
  );
}

/** Starts a program of this project, or of another folder, with only these variables. It is killed when this process exits. */
export function startProgram(
  program: string,
  env: Record<string, string>,
  ...args: string[]
): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(
    process.execPath,
    [...nodeOptions, '--', path.resolve(project, program), ...args],
    {
      cwd: tmpdir(),
      env: { PATH, NODE_COMPILE_CACHE, PORT: '0', METRICS_PORT: '0', ...env },
      stdio: 'pipe',
    },
  );
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  return child;
}

/** Waits for the end of a program. @returns its exit code and all output */
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
