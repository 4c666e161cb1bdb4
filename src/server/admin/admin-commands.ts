import { readAudit } from '../database/audit-log.ts';
import { type Admin, AdminError } from './admin.ts';
import {
  closeSessions,
  disableAccount,
  enableAccount,
  linkToPassword,
  listAccounts,
  listSessions,
} from './admin-accounts.ts';
import { deleteContent, hide, listChannels, listComments, show } from './moderation.ts';
import { printTable, toTime } from './print-table.ts';

interface Command {
  /** Its parameters: `<required>`, `[optional]`. */
  parameters: string;
  description: string;
  run: (admin: Admin, ...args: string[]) => Promise<void>;
}

/** Entries shown by `audit`. */
const auditEntries = 100;

/** `runCommand` checks the number of arguments before it calls a function. */
const commands: Record<string, Command> = {
  accounts: command('[search]', 'lists accounts by name, e-mail or id', listAccounts),
  sessions: command('<account>', 'lists the sessions of an account', listSessions),
  'end-sessions': command('<account> [session]', 'ends all of them, or one', closeSessions),
  password: command('<account>', 'prints a link to a new password', linkToPassword),
  disable: command(
    '<account>',
    'prevents signing in; its channels and comments stay',
    disableAccount,
  ),
  enable: command('<account>', 'allows signing in again', enableAccount),
  channels: command('[search]', 'lists channels by name or id', listChannels),
  comments: command('<channel>', 'lists the newest comments of a channel', listComments),
  hide: command('<id>', 'hides a channel or a comment from all visitors', hide),
  show: command('<id>', 'shows it again', show),
  delete: command('<id>', 'deletes it permanently', deleteContent),
  audit: command('', 'lists the changes made with these commands', showAudit),
};

export const help = [
  'npm run admin -- <command> [--note "why"]',
  '',
  ...Object.entries(commands).map(
    ([name, { parameters, description }]) => `  ${usageOf(name, parameters)}${description}`,
  ),
  `  ${usageOf('doctor', '')}checks the installation and says what to fix`,
  '',
  'An account is an e-mail or an id. Each change is recorded in the audit log.',
].join('\n');

/** @throws AdminError */
export async function runCommand(admin: Admin, [name = '', ...args]: string[]): Promise<void> {
  const known = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!known) throw new AdminError(`There is no command ${name}.\n\n${help}`);
  const all = known.parameters.split(' ').filter((one) => one !== '');
  const required = all.filter((one) => one.startsWith('<'));
  if (args.length < required.length || args.length > all.length) {
    throw new AdminError(`usage: npm run admin -- ${name} ${known.parameters}`);
  }
  await known.run(admin, ...args);
}

function command<Args extends string[]>(
  parameters: string,
  description: string,
  run: (admin: Admin, ...args: Args) => Promise<void>,
): Command {
  return { parameters, description, run: run as Command['run'] };
}

async function showAudit({ db, print }: Admin): Promise<void> {
  const entries = await readAudit(db, auditEntries);
  printTable(
    print,
    ['at (UTC)', 'who', 'action', 'subject', 'note'],
    entries.map((one) => [toTime(one.at_ms), one.actor, one.action, one.subject, one.note]),
  );
}

function usageOf(name: string, parameters: string): string {
  return `${name} ${parameters}`.padEnd(34);
}
