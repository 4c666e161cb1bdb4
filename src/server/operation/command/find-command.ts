import { UsageError } from '../../system/operator-error.ts';
import { usageError } from './command-line.ts';
import { type Command, commands } from './commands.ts';
import { listCommands } from './help.ts';

/** @throws UsageError, with the list of commands when the name is empty */
export function findCommand(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command;
  if (name === '') throw new UsageError(listCommands());
  throw usageError('', `tertulia has no ${name.startsWith('-') ? 'option' : 'command'} ${name}.`);
}
