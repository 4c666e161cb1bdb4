import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { atGroupEnd } from '../database/transactions.ts';

/** Tables of FTS5. Their rows are those of `search_docs` and `search_channels`. */
type FtsTable = 'search_docs_fts' | 'search_channels_fts';

/**
 * Replaces the tokens of a row, at the end of the group of writes: FTS5 writes what it has collected to
 * disk at each savepoint.
 * @param tokens undefined deletes the row
 * @param isNew the row does not exist; a table without content would keep the old one too
 */
export function replaceFtsRow(
  trx: Database,
  table: FtsTable,
  rowid: number,
  tokens: string[] | undefined,
  { isNew = false } = {},
): Promise<void> {
  return atGroupEnd(trx, async () => {
    if (!isNew) await sql`delete from ${sql.table(table)} where rowid = ${rowid}`.execute(trx);
    if (!tokens) return;
    await sql`
      insert into ${sql.table(table)} (rowid, tokens) values (${rowid}, ${tokens.join(' ')})
    `.execute(trx);
  });
}

/** Deletes rows, as `replaceFtsRow`. */
export function deleteFtsRows(trx: Database, table: FtsTable, rowids: number[]): Promise<void> {
  return atGroupEnd(trx, () =>
    sql`
      delete from ${sql.table(table)} where rowid in (select value from json_each(${JSON.stringify(rowids)}))
    `.execute(trx),
  );
}
