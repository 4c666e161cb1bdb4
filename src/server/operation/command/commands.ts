import type { Context, Syntax } from './command-line.ts';

type Run = (context: Context) => Promise<void>;

export interface Command extends Syntax {
  /** Short text for the list of commands. */
  summary: string;
  /** Lines of its help text: options, examples, limits. */
  help: string[];
  /** Undefined for `check-config`, which main.ts runs, because it must work with wrong settings. */
  load?: () => Promise<Run>;
}

const noArguments = { usage: [''], options: {}, arguments: { least: 0, most: 0 } };

/** The commands, in the order in which they are listed. Each is loaded when it runs. */
export const commands: Record<string, Command> = {
  start: {
    ...noArguments,
    summary: 'serves the site until SIGTERM or SIGINT',
    help: ['Migrates the database first. Settings that look misspelt are in the log.'],
    load: async () => (await import('../start/start-server.ts')).startServer,
  },
  'check-config': {
    ...noArguments,
    summary: 'checks the settings',
    help: [
      'Lists every wrong or misspelt setting, and exits with 2 if there is one. Opens nothing.',
      'Also names what the shipped file of settings has and yours does not mention.',
    ],
  },
  backup: {
    usage: ['[FILE]', '-', '--verify [--restore] FILE', '--daily'],
    options: {
      verify: { type: 'boolean' },
      restore: { type: 'boolean' },
      daily: { type: 'boolean' },
    },
    arguments: { least: 0, most: 1 },
    summary: 'makes or verifies a backup, also while the server runs',
    help: [
      'Makes one file of all rows and images: DATA_DIR/backups/tertulia-<time>.tar, or FILE. Where images in use',
      'are missing, it is named incomplete, and the exit code is 1.',
      '  -                 writes it to standard output instead, for another program',
      '  --verify FILE     checks this backup instead, and exits with 1 if it is damaged or incomplete',
      '  --restore         with --verify: also restores it into a temporary folder beside it, which takes as much space',
      '  --daily           makes and verifies the backup of the day, and keeps the newest BACKUP_KEEP, or 7',
    ],
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    usage: ['[--keep-sessions] [--ledger FILE] FILE'],
    options: {
      'keep-sessions': { type: 'boolean', default: false },
      ledger: { type: 'string' },
    },
    arguments: { least: 1, most: 1 },
    summary: 'restores a backup into an empty database and image store',
    help: [
      'Stop the server first. Accounts that were erased since the backup are erased again, and deletions that were',
      'requested since are requested again, by the file erased-accounts.txt beside the backup.',
      '  --ledger FILE     another copy of erased-accounts.txt, such as a newer one',
      '  --keep-sessions   people stay signed in, to move a site that is stopped meanwhile',
    ],
    load: async () => (await import('./restore.ts')).restore,
  },
  admin: {
    usage: ['<command> [--note "why"]'],
    options: { note: { type: 'string', default: '' }, now: { type: 'boolean', default: false } },
    arguments: { least: 0, most: Number.POSITIVE_INFINITY },
    summary: 'accounts, roles, erasure, search index: tertulia admin lists them',
    help: [
      '  --note "why"      the reason, for the audit log',
      '  --now             with erase-account: without the days in which the owner can cancel it',
    ],
    load: async () => (await import('./admin.ts')).admin,
  },
  import: {
    usage: ['FILE [--plan FILE.plan.json]', '[--plan FILE.plan.json] --undo FILE'],
    options: { plan: { type: 'string' }, undo: { type: 'boolean', default: false } },
    arguments: { least: 1, most: 1 },
    summary: 'brings a WhatsApp group into the community, also while the server runs',
    help: [
      'Says what is in the ZIP or text that WhatsApp exported, writes nothing to the site, and leaves the decisions to',
      'make in FILE.plan.json, unless it is there. Only for a community that its members alone read.',
      '  --plan FILE       brings it in by these decisions: into a closed channel that somebody opens on its page.',
      '                    Repeated, it goes on where it was, or adds what is new while the channel is closed',
      '  --undo            erases the channel and its people, while nobody else wrote in it',
    ],
    load: async () => (await import('./import.ts')).importCommand,
  },
  doctor: {
    usage: ['[--images] [--alert] [--json]'],
    options: {
      alert: { type: 'boolean', default: false },
      images: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    arguments: noArguments.arguments,
    summary: 'checks the installation and says what to fix',
    help: [
      'Changes nothing. Exits with 1 when there is something to fix.',
      '  --images          looks at all images, too: which are missing, and which the database does not know',
      '  --alert           sends a test to ALERT_TO, ALERT_URL and HEARTBEAT_URL, too, and says what came back',
      '  --json            prints a list of subject, isOk and message',
    ],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  healthcheck: {
    ...noArguments,
    summary: 'says whether the server on this machine responds',
    help: ['Asks /healthz at HOST and PORT. Exits with 1 when it does not respond within 5 s.'],
    load: async () => (await import('./healthcheck.ts')).healthcheck,
  },
};
