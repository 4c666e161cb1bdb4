import { sql } from 'kysely';
import { type Database, tableKeys } from './tables.ts';

/** Rows deleted by one statement, so that other writes can run in between. */
const batchSize = 500;

/** Deletes the rows whose time in this column is at or before `beforeMs`. */
export async function deleteOldRows(
  db: Database,
  table: 'channel_versions' | 'channel_changes',
  column: 'replaced_at_ms' | 'at_ms',
  beforeMs: number,
): Promise<void> {
  const key = sql.join(tableKeys[table].map((one) => sql.ref(one)));
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where (${key}) in (
        select ${key} from ${sql.table(table)}
        where ${sql.ref(column)} <= ${beforeMs} limit ${sql.lit(batchSize)})
    `.execute(db);
    if (numAffectedRows < batchSize) return;
  }
}
