import assert from 'node:assert/strict';
import { format } from 'node:util';
import { parseArguments } from '../../src/server/operation/command/command-line.ts';
import { describeFailure, exitCodeOf } from '../../src/server/operation/command/failures.ts';
import { findCommand } from '../../src/server/operation/command/find-command.ts';
import { openSite } from '../../src/server/operation/start/open-site.ts';
import { parseConfig } from '../../src/server/system/settings/config.ts';

/**
 * Runs a command of `tertulia` in this process, which takes a tenth of the time of a separate process. Run one at a
 * time, because anything printed during the run counts as its output.
 * @returns the exit code and all output, as `outcomeOf` does
 */
export async function runCommand(env: Record<string, string>, name: string, ...args: string[]) {
  let said = '';
  const collect = (...parts: unknown[]) => {
    said += `${format(...parts)}\n`;
  };
  const { log, error } = console;
  const { exitCode } = process;
  Object.assign(console, { log: collect, error: collect });
  try {
    const command = findCommand(name);
    const parsed = parseArguments(name, command, args);
    assert.ok(command.load, 'main.ts runs this command');
    const run = await command.load();
    const settings = { file: undefined, values: {} };
    await run({ ...parsed, config: parseConfig(env), settings });
    return { code: process.exitCode ?? 0, said };
  } catch (failure) {
    collect(describeFailure(failure));
    return { code: exitCodeOf(failure), said };
  } finally {
    Object.assign(console, { log, error });
    process.exitCode = exitCode;
  }
}

/** Starts a server that must refuse to start. @returns its exit code and message */
export function refusedStart(env: Record<string, string>) {
  return openSite(parseConfig(env)).then(
    () => assert.fail('it started'),
    (error: unknown) => ({ code: exitCodeOf(error), said: String(describeFailure(error)) }),
  );
}
