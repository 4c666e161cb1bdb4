import type { Config } from '../../config/config.ts';
import { describeDatabase } from '../../config/describe-stores.ts';
import { openDatabase, openToRead } from '../../database/database.ts';
import { migrationNames, readMigrations, requireKnown } from '../../database/migrations/migrate.ts';
import type { Database } from '../../database/tables.ts';
import { singleTransactions } from '../../database/transactions.ts';
import { notifyProcesses } from '../../live/bus/postgres-live-bus.ts';
import { type Admin, AdminError } from '../../moderation/audited.ts';
import type { Print } from '../../operator-error.ts';

/** Services for the operator's commands. A server may be running on the same site. */
export interface AdminContext extends Admin {
  config: Config;
  print: Print;
}

/** @throws AdminError when there is no database of this version; UnfitDatabase */
export async function withAdmin<T>(
  context: Omit<AdminContext, 'db' | 'transact' | 'live'>,
  work: (admin: AdminContext) => Promise<T>,
): Promise<T> {
  const { config } = context;
  // Opening an empty SQLite file for writing would change it.
  await requireCurrent(config, openToRead(config));
  const db = openDatabase(config, { noStatementTimeout: true });
  try {
    return await work({ ...context, db, transact: singleTransactions(db), live: liveOf(config) });
  } finally {
    await db.destroy();
  }
}

async function requireCurrent(config: Config, db: Database | undefined): Promise<void> {
  try {
    const done = db ? await readMigrations(db) : [];
    requireKnown(done);
    if (done.length === 0) {
      throw new AdminError(
        `There is no site in ${describeDatabase(config)}. Name its settings: --env-file FILE, TERTULIA_ENV_FILE or DATABASE_URL.`,
      );
    }
    if (done.length < migrationNames.length) {
      throw new AdminError('The database is of an older version. Start the server once first.');
    }
  } finally {
    await db?.destroy();
  }
}

/** Notifies the servers of changes. On SQLite they detect by themselves that the file was changed. */
function liveOf({ databaseUrl }: Config): Admin['live'] {
  return {
    announce: async (trx, change) => {
      if (databaseUrl) await notifyProcesses(trx, change);
    },
    publish: () => {},
  };
}
