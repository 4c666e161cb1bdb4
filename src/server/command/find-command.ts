import { nearestName } from '../config/nearest-name.ts';
import { UsageError } from '../operator-error.ts';
import { usageError } from './command-line.ts';
import { type Command, commands } from './commands.ts';
import { listCommands } from './help.ts';

/** @throws UsageError with the list of commands, or with the command or option that was probably meant */
export function findCommand(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command;
  if (name === '') throw new UsageError(listCommands());
  const known = [...Object.keys(commands), '--help', '--version'];
  const problem = `tertulia has no ${name.startsWith('-') ? 'option' : 'command'} ${name}.`;
  throw usageError('', problem, nearestName(name, known));
}
