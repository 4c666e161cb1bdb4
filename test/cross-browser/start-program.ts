import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program that is killed when the tests end. */
export function startProgram(program: string, args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function endProgram(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const hasEnded = once(child, 'exit');
  child.kill('SIGKILL');
  await hasEnded;
}

/**
 * Ends all running programs. Call it after the last test, because Node waits for them and their connections. If a
 * failed test left anything else open, the process exits with an error after ten seconds.
 */
export async function endPrograms(): Promise<void> {
  await Promise.all([...running].map(endProgram));
  const exit = () => {
    console.error('left open by the tests:', process.getActiveResourcesInfo());
    process.exit(1);
  };
  setTimeout(exit, 10_000).unref();
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
