import { readAudit } from '../database/audit-log.ts';
import { type Admin, AdminRefused } from './admin.ts';
import {
  closeSessions,
  disableAccount,
  enableAccount,
  linkToPassword,
  listAccounts,
  listSessions,
} from './admin-accounts.ts';
import { deleteWords, hide, listChannels, listComments, show } from './moderation.ts';
import { showTable, toTime } from './show-table.ts';

interface Command {
  /** What comes after its name: `<needed>`, `[optional]`. */
  takes: string;
  does: string;
  run: (admin: Admin, ...args: string[]) => Promise<void>;
}

/** As many as a screen or two hold. */
const auditEntries = 100;

/** A function that needs an argument gets it: `runCommand` sees to that by `takes`. */
const commands: Record<string, Command> = {
  accounts: command('[search]', 'lists accounts by name, e-mail or id', listAccounts),
  sessions: command('<account>', 'lists the sessions of an account', listSessions),
  'end-sessions': command('<account> [session]', 'ends all of them, or one', closeSessions),
  password: command('<account>', 'prints a link to a new password', linkToPassword),
  disable: command('<account>', 'lets nobody sign in to it; its words stay', disableAccount),
  enable: command('<account>', 'lets its owner sign in again', enableAccount),
  channels: command('[search]', 'lists channels by name or id', listChannels),
  comments: command('<channel>', 'lists the newest comments of a channel', listComments),
  hide: command('<id>', 'shows a channel or a comment to nobody', hide),
  show: command('<id>', 'shows it again', show),
  delete: command('<id>', 'deletes it for good', deleteWords),
  audit: command('', 'lists what was done with these commands', showAudit),
};

export const help = [
  'npm run admin -- <command> [--note "why"]',
  '',
  ...Object.entries(commands).map(([name, { takes, does }]) => `  ${usageOf(name, takes)}${does}`),
  `  ${usageOf('doctor', '')}checks this place, and says what to mend`,
  '',
  'An account is an e-mail or an id. Each change is in the audit log, with who made it.',
].join('\n');

/** @throws AdminRefused */
export async function runCommand(admin: Admin, [name = '', ...args]: string[]): Promise<void> {
  const known = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!known) throw new AdminRefused(`There is no command ${name}.\n\n${help}`);
  const all = known.takes.split(' ').filter((one) => one !== '');
  const needed = all.filter((one) => one.startsWith('<'));
  if (args.length < needed.length || args.length > all.length) {
    throw new AdminRefused(`usage: npm run admin -- ${name} ${known.takes}`);
  }
  await known.run(admin, ...args);
}

function command<Args extends string[]>(
  takes: string,
  does: string,
  run: (admin: Admin, ...args: Args) => Promise<void>,
): Command {
  return { takes, does, run: run as Command['run'] };
}

async function showAudit({ db, say }: Admin): Promise<void> {
  const entries = await readAudit(db, auditEntries);
  showTable(
    say,
    ['at (UTC)', 'who', 'did', 'to', 'note'],
    entries.map((one) => [toTime(one.at_ms), one.actor, one.action, one.subject, one.note]),
  );
}

function usageOf(name: string, takes: string): string {
  return `${name} ${takes}`.padEnd(34);
}
