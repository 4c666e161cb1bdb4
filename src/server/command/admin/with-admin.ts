import type { Config } from '../../config/config.ts';
import { describeDatabase } from '../../config/places.ts';
import { type AuditEntry, writeAudit } from '../../database/audit-log.ts';
import { openDatabase, openToRead } from '../../database/database.ts';
import { migrationNames, readMigrations, requireKnown } from '../../database/migrations/migrate.ts';
import type { Database } from '../../database/tables.ts';
import type { Change } from '../../live/bus/live-bus.ts';
import { notifyProcesses } from '../../live/bus/postgres-live-bus.ts';
import { OperatorError } from '../../operator-error.ts';

/** A command that cannot be carried out; nothing was changed. */
export class AdminError extends OperatorError {}

/** The context of a command. A server may be running beside it. */
export interface Admin {
  config: Config;
  db: Database;
  /** Name of the operating system's user. */
  actor: string;
  /** Reason, for the audit log. */
  note: string;
  /** Milliseconds since 1970. */
  now: () => number;
  print: (line: string) => void;
}

/** @throws AdminError when there is no database of this version; UnfitDatabase */
export async function withAdmin<T>(
  context: Omit<Admin, 'db'>,
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  const { config } = context;
  // Opening an empty SQLite file for writing would change it.
  await requireCurrent(config, openToRead(config));
  const db = openDatabase(config, { noStatementTimeout: true });
  try {
    return await work({ ...context, db });
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

/**
 * Runs `work`, an entry in the audit log and a notification of the servers in one transaction.
 * @param change what the servers have to drop from their caches
 */
export async function audited<T>(
  { db, config, actor, note, now }: Admin,
  action: Pick<AuditEntry, 'action' | 'subject'>,
  work: (trx: Database) => Promise<T>,
  change?: Change,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    // Write first: an SQLite transaction that begins with a read cannot always write later.
    await writeAudit(trx, { ...action, actor, note }, now());
    const result = await work(trx);
    // On SQLite the server detects by itself that the file was changed.
    if (change && config.databaseUrl) await notifyProcesses(trx, change);
    return result;
  });
}
