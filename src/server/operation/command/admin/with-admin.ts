import type { Actor } from '../../../accounts/actor.ts';
import { announceChanges } from '../../../database/bus/live-bus.ts';
import { engineOf, openDatabase, openToRead } from '../../../database/engine.ts';
import {
  migrationNames,
  readMigrations,
  requireKnown,
} from '../../../database/migrations/migrate.ts';
import type { Database } from '../../../database/tables.ts';
import { type Publisher, publishing } from '../../../database/transactions.ts';
import { OperatorError, type Print } from '../../../system/operator-error.ts';
import type { Config } from '../../../system/settings/config.ts';
import { describeDatabase } from '../../../system/settings/describe-stores.ts';
import { backupFolder } from '../../backups/backup-folder.ts';

/** Services for the operator's commands. A server may be running on the same site. */
export interface AdminContext extends Actor {
  config: Config;
  /** Folder of this machine's ledger of erasures. */
  ledgerFolder: string;
  print: Print;
  /** Whether `--now` was given. */
  isNow: boolean;
  /** Asks a question. Resolves to whether the answer is yes. */
  confirm: (question: string) => Promise<boolean>;
}

/** Announces changes to the running servers; a command has no caches or streams of its own. */
const servers: Publisher = { announce: announceChanges, publish: () => {} };

/** @throws OperatorError when there is no database of this version; UnfitDatabase */
export async function withAdmin<T>(
  context: Omit<AdminContext, 'db' | 'withTransaction' | 'ledgerFolder'>,
  work: (admin: AdminContext) => Promise<T>,
): Promise<T> {
  const { config } = context;
  // Opening an empty SQLite file for writing would change it.
  await requireCurrent(config, openToRead(config));
  const db = openDatabase(config, { noStatementTimeout: true });
  try {
    const withTransaction = publishing(engineOf(db).transactions(db), servers);
    return await work({ ...context, db, withTransaction, ledgerFolder: backupFolder(config) });
  } finally {
    await db.destroy();
  }
}

async function requireCurrent(config: Config, db: Database | undefined): Promise<void> {
  try {
    const done = db ? await readMigrations(db) : [];
    requireKnown(done);
    if (done.length === 0) {
      throw new OperatorError(
        `There is no site in ${describeDatabase(config)}. Name its settings: --env-file FILE, TERTULIA_ENV_FILE or DATABASE_URL.`,
      );
    }
    if (done.length < migrationNames.length) {
      throw new OperatorError('The database is of an older version. Start the server once first.');
    }
  } finally {
    await db?.destroy();
  }
}
