import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Starts a program, which ends with the tests. */
export function startProgram(program: string, args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, options);
  const kill = () => child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  return child;
}

/** @returns the first match in a line of a program's output, once it is written */
export async function findInOutput(
  program: ChildProcess,
  output: 'stdout' | 'stderr',
  wanted: RegExp,
): Promise<string> {
  const stream = program[output];
  if (!stream) throw new Error(`${output} is not piped`);
  for await (const line of createInterface(stream)) {
    const found = wanted.exec(line)?.[0];
    if (found === undefined) continue;
    stream.resume();
    return found;
  }
  throw new Error(`the program ended before it wrote ${wanted}`);
}
