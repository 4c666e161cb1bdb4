import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { type AuditEntry, writeAudit } from '../database/audit-log.ts';
import { openDatabase } from '../database/database.ts';
import { migrationNames, readMigrations, requireKnown } from '../database/migrations/migrate.ts';
import { sqliteFile } from '../database/sqlite/sqlite-file.ts';
import type { Database } from '../database/tables.ts';
import type { Change } from '../live-bus/live-bus.ts';

/** What cannot be done as it was asked for; nothing was changed. */
export class AdminRefused extends Error {}

/** What a command works with, beside a server that may be running. */
export interface Admin {
  config: Config;
  db: Database;
  /** Who does it: a name at the operating system. */
  actor: string;
  /** Why, for the audit log. */
  note: string;
  /** Milliseconds since 1970. */
  now: () => number;
  say: (line: string) => void;
}

/** @throws AdminRefused when there is no database of this version, UnfitDatabase */
export async function withAdmin<T>(
  parts: Omit<Admin, 'db'>,
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  const { config } = parts;
  if (!config.databaseUrl && !existsSync(sqliteFile(config.dataDir))) {
    throw new AdminRefused(`There is no database in ${config.dataDir}.`);
  }
  const db = openDatabase(config, { noStatementTimeout: true });
  try {
    const done = await readMigrations(db);
    requireKnown(done);
    if (done.length < migrationNames.length) {
      throw new AdminRefused('The database is of an older version. Start the server once first.');
    }
    return await work({ ...parts, db });
  } finally {
    await db.destroy();
  }
}

/**
 * Does something, notes it in the audit log and tells the servers, all of it or nothing.
 * @param change what anyone sees differently from then on
 */
export async function audited<T>(
  { db, config, actor, note, now }: Admin,
  action: Pick<AuditEntry, 'action' | 'subject'>,
  work: (trx: Database) => Promise<T>,
  change?: Change,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    // First, since an SQLite transaction that begins by reading cannot always go on to write.
    await writeAudit(trx, { ...action, actor, note }, now());
    const result = await work(trx);
    // A server on SQLite sees by itself that the file was written to.
    if (change && config.databaseUrl) {
      const { notifyProcesses } = await import('../live-bus/postgres-live-bus.ts');
      await notifyProcesses(trx, change);
    }
    return result;
  });
}
