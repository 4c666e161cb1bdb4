// The command `tertulia` (docs/operating.md). `bin/tertulia` runs it.

import type { Config } from '../config.ts';
import { parseConfig } from '../config.ts';
import { loadSettings } from '../settings-file.ts';
import { describeFailure, exitCodeOf } from './failures.ts';

/** Runs with what follows the command's name. */
export type Command = (config: Config, args: string[]) => Promise<void>;

const commands: Record<string, () => Promise<Command>> = {
  start: async () => (await import('../operations/start-server.ts')).startServer,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  admin: async () => (await import('./admin.ts')).admin,
};

const [name = '', ...args] = process.argv.slice(2);
try {
  const load = commands[name];
  if (load) {
    loadSettings();
    await (await load())(parseConfig(process.env), args);
  } else {
    console.error(`usage: tertulia ${Object.keys(commands).join('|')}`);
    process.exitCode = 2;
  }
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = exitCodeOf(error);
}
