import { type Insertable, sql } from 'kysely';
import { engineOf } from '../../database/engine.ts';
import { migrate } from '../../database/migrations/migrate.ts';
import type { Row } from '../../database/read-rows.ts';
import { tablesWith } from '../../database/table-register.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { inTransaction } from '../../database/transactions.ts';
import type { Manifest } from './manifest.ts';
import { type BackupPart, readBackup } from './read-backup.ts';

/** Maximum number of values per statement. SQLite's limit is 32,766, PostgreSQL's 65,535. */
const maxValues = 20_000;

/**
 * Creates the tables at the backup's version and fills them in one transaction, which commits after the
 * last part, or in the caller's transaction.
 * @param manifest of the same file, from `verifyBackup`
 * @param onPart called within the transaction with each part, in the backup's order
 * @param leaveEmpty tables to leave empty although the backup has rows for them
 */
export async function fillDatabase(
  db: Database,
  file: string,
  manifest: Manifest,
  onPart: (trx: Database, part: BackupPart) => Promise<void>,
  leaveEmpty: (keyof Tables)[] = [],
): Promise<void> {
  await migrate(db, { upTo: manifest.migrations.at(-1) });
  const isLeftEmpty = new Set<string>(leaveEmpty);
  await inTransaction(db, async (trx) => {
    // The migration inserts the row of `site`; no other table has rows yet.
    await trx.deleteFrom('site').execute();
    for await (const part of readBackup(file)) {
      if (part.kind === 'rows' && !isLeftEmpty.has(part.table)) {
        await insertRows(trx, part.table, part.rows);
      }
      await onPart(trx, part);
    }
    await emptyUnsaved(trx);
    await continueNotificationIds(trx);
    await engineOf(trx).analyze(trx);
  });
}

/** Empties the tables that are not in backups. The next start builds the search index. */
async function emptyUnsaved(trx: Database): Promise<void> {
  const names = new Set((await trx.introspection.getTables()).map(({ name }) => name));
  for (const table of tablesWith('backup', 'none')) {
    if (names.has(table)) await trx.deleteFrom(table).execute();
  }
}

/** Continues above all recorded ids: accounts may have seen notifications with higher ids than any in the backup. */
async function continueNotificationIds(trx: Database): Promise<void> {
  const newest = sql`(select coalesce(max(id), 0) from (
    select max(id) as id from notifications union all select max(notifications_seen_id) from accounts
    union all select max(mailed_notification_id) from accounts) as ids)`;
  await engineOf(trx).continueIds(trx, 'notifications', newest);
}

async function insertRows(db: Database, table: string, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length;
  const batch = Math.floor(maxValues / Math.max(1, columns));
  for (let i = 0; i < rows.length; i += batch) {
    // The table name is dynamic, so the types of one table stand in for all of them.
    const values = rows.slice(i, i + batch) as unknown as Insertable<Tables['accounts']>[];
    await db
      .insertInto(table as 'accounts')
      .values(values)
      .execute();
  }
}
