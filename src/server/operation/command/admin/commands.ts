import { audited, readAudit } from '../../../database/audit-log.ts';
import { engineOf } from '../../../database/engine.ts';
import { requestRebuild } from '../../../search-index/index-state.ts';
import { InUse, OperatorError, UsageError } from '../../../system/operator-error.ts';
import { correctTimes } from '../../start/correct-times.ts';
import {
  accounts,
  cancelErasure,
  changeRole,
  create,
  disable,
  enable,
  eraseAccount,
  founder,
  password,
} from './account-commands.ts';
import { erase } from './content-commands.ts';
import { mailTest } from './mail-test.ts';
import { printTable, toTime } from './print-table.ts';
import type { AdminContext } from './with-admin.ts';

type AdminCommand = [
  /** `<required>` and `[optional]` parameters, as shown in the help; `…` follows one that may be repeated. */
  parameters: string,
  description: string,
  run: (admin: AdminContext, ...args: string[]) => Promise<void>,
];

/** Number of entries shown by `audit`. */
const auditEntries = 100;

const commands: Record<string, AdminCommand> = {
  accounts: ['[search]', 'lists accounts by name, e-mail or id, with role and state', accounts],
  create: ['<email> [name]', 'makes an account, and prints a link to choose its password', create],
  founder: ['', 'prints a link to become the first admin, while there is none', founder],
  password: ['<account>', 'prints a link to a new password, which ends its sessions', password],
  disable: ['<account>…', 'prevents signing in, and ends its sessions', disable],
  enable: ['<account>…', 'allows signing in again', enable],
  role: ['<account>… <role>', 'makes it a member, a moderator or an admin', changeRole],
  erase: ['<id>…', 'erases a channel or a comment for good', erase],
  'erase-account': [
    '<account>…',
    'erases it with everything it wrote; --now: within an hour',
    eraseAccount,
  ],
  'cancel-erasure': ['<account>…', 'keeps an account that was to be erased', cancelErasure],
  'mail-test': [
    '<address>',
    'sends a mail to an address, and says what the mail server answers',
    mailTest,
  ],
  reindex: ['', 'builds the search index again', reindex],
  'correct-times': ['', 'sets times in the future to now, after a clock that was ahead', correct],
  audit: ['', 'lists what was done with accounts and content', showAudit],
};

export const help = [
  'usage: tertulia admin <command> [--note "why"]',
  '',
  ...Object.entries(commands).map(([name, [parameters, description]]) =>
    helpLine(`${name} ${parameters}`, description),
  ),
  helpLine('doctor', 'checks the installation and says what to fix'),
  '',
  'An account is an e-mail or an id. … takes several: if an account is not found, none is changed; one that cannot be changed is named, and the others are done. A note says why in the audit log; that of a password link is read by its owner. Moderators decide about content and people on the pages.',
].join('\n');

/**
 * Finds a command by its name, and checks the number of its arguments.
 * @returns a function that runs it @throws UsageError
 */
export function findAdminCommand([name = '', ...args]: string[]): (
  admin: AdminContext,
) => Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`tertulia admin has no command ${name}.\n\n${help}`);
  const [parameters, , run] = command;
  const required = parameters.match(/</g)?.length ?? 0;
  const most = parameters.includes('…')
    ? Number.POSITIVE_INFINITY
    : (parameters.match(/[<[]/g)?.length ?? 0);
  if (args.length < required || args.length > most) {
    throw new UsageError(`usage: tertulia admin ${name} ${parameters}`);
  }
  return (admin) => {
    if (admin.isNow && name !== 'erase-account')
      throw new UsageError('--now is for erase-account alone.');
    return run(admin, ...args);
  };
}

/** Only requests a rebuild from the server, so that on SQLite a single process writes the index. */
async function reindex({ db, print }: AdminContext): Promise<void> {
  await requestRebuild(db);
  print('The server that runs builds the search index again, or the next one that starts.');
}

async function correct(admin: AdminContext): Promise<void> {
  const { config, db, now, print } = admin;
  if (await engineOf(db).isServed(config, db))
    throw new InUse('A server runs on the database: stop it first.');
  const nowMs = now();
  // If the clock is behind, waiting times would all end as soon as it is set right.
  const question = `The clock of this machine says ${new Date(nowMs).toISOString()}. Is that the time now?`;
  if (!(await admin.confirm(question))) throw new OperatorError('Nothing was changed.');
  const corrected = await audited(admin, admin.actorName, '', async (trx, changed) => {
    const rows = await correctTimes(trx, nowMs);
    if (rows > 0) changed('correct-times', '');
    return rows;
  });
  print(`${corrected} rows had a time in the future, by the clock of this machine.`);
}

async function showAudit({ db, print }: AdminContext): Promise<void> {
  const entries = await readAudit(db, auditEntries);
  printTable(
    print,
    ['at (UTC)', 'who', 'action', 'subject', 'note'],
    entries.map((one) => [toTime(one.at_ms), one.actor, one.action, one.subject, one.note]),
  );
}

function helpLine(usage: string, description: string): string {
  return `  ${usage.padEnd(34)}${description}`;
}
