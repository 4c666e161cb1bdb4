// The command `tertulia` (docs/operating.md). `bin/tertulia` runs it.

import { format } from 'node:util';
import { parseConfig } from '../../system/settings/config.ts';
import { loadSettings } from '../../system/settings/settings-file.ts';
import { buildName } from '../../system/version.ts';
import { isJournal } from '../start/log-output.ts';
import { checkConfig } from './check-config.ts';
import { parseArguments } from './command-line.ts';
import { describeFailure, exitCodeOf } from './failures.ts';
import { findCommand } from './find-command.ts';
import { describeCommand, listCommands } from './help.ts';
import { requireOwner } from './require-owner.ts';

// Makes all new files and folders private to this user.
process.umask(0o077);
// Without a listener, these signals would end the process.
for (const unused of ['SIGUSR1', 'SIGUSR2']) process.on(unused, () => {});

async function run([name = '', ...args]: string[]): Promise<void> {
  if (['--help', '-h', 'help'].includes(name)) return console.log(listCommands());
  if (name === '--version') {
    return console.log(`tertulia ${buildName()}, Node ${process.versions.node}`);
  }
  const command = findCommand(name);
  const { values, positionals } = parseArguments(name, command, args);
  if (values.help) return console.log(describeCommand(name));
  const named = values['env-file'];
  const settings = loadSettings(typeof named === 'string' ? named : undefined);
  if (!command.load) {
    process.exitCode = checkConfig(settings, process.env);
    return;
  }
  const config = parseConfig(process.env);
  const opensNothing = name === 'healthcheck' || (name === 'admin' && positionals.length === 0);
  if (!opensNothing) requireOwner(config.dataDir);
  await (await command.load())({ config, settings, values, positionals });
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const lines = format(describeFailure(error));
  console.error(isJournal(2) ? lines.replace(/^/gm, '<3>') : lines);
  process.exitCode = exitCodeOf(error);
}
