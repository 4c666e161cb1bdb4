import { commonHelp } from './command-line.ts';
import { commands } from './commands.ts';

export function listCommands(): string {
  return [
    'usage: tertulia <command>',
    '',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(18)}${summary}`),
    '',
    'tertulia <command> --help says more about one; --version prints the version.',
    'Settings are read from the environment and, below it, from a file: .env in the installation,',
    'else /etc/tertulia/tertulia.env, or what --env-file or TERTULIA_ENV_FILE names.',
  ].join('\n');
}

export function describeCommand(name: string): string {
  const command = commands[name];
  if (!command) return listCommands();
  return [
    ...command.usage.map((form) => `usage: tertulia ${name} ${form}`.trim()),
    '',
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    ...command.help,
    ...commonHelp,
  ].join('\n');
}
