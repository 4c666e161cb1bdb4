import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { forEachDespiteErrors } from '../system/despite-errors.ts';
import { tableRegister, tablesWith } from './table-register.ts';
import type { Database, Tables } from './tables.ts';

/** Rows per statement. Other requests can run between statements. */
const batchSize = 500;

/** Deletes expired rows from all tables whose register entry has a column of times as `expiry`. */
export async function deleteExpiredRows(db: Database, nowMs: number): Promise<void> {
  await forEachDespiteErrors(Object.entries(tableRegister), async ([table, { expiry }]) => {
    if (typeof expiry === 'string' || 'kept' in expiry) return;
    const { column, afterMs, only } = expiry;
    const isMeant = only ? sql`${sql.ref(only.column)} in (${sql.join(only.values)}) and ` : sql``;
    const isExpired = sql<SqlBool>`${isMeant}${sql.ref(column)} <= ${nowMs - afterMs}`;
    await deleteRows(db, table as keyof Tables, isExpired);
  });
}

/** Deletes an account's rows from all tables whose register entry has `rows` as `erasure`. */
export async function deleteAccountRows(db: Database, accountId: string): Promise<void> {
  for (const table of tablesWith('erasure', 'rows').reverse()) {
    await deleteRows(db, table, sql<SqlBool>`account_id = ${accountId}`);
  }
}

/** Deletes the rows that meet a condition, in batches between which other requests can run. */
export async function deleteRows(
  db: Database,
  table: keyof Tables,
  condition: RawBuilder<SqlBool>,
): Promise<void> {
  const key = sql.join(tableRegister[table].key.map((column) => sql.ref(column)));
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (${key}) in (
        select ${key} from ${sql.table(table)} where ${condition} limit ${sql.lit(batchSize)})
    `.execute(db);
    if (numAffectedRows < batchSize) return;
    // Queries on SQLite are synchronous, so requests could not run otherwise.
    await yieldToEventLoop();
  }
}
