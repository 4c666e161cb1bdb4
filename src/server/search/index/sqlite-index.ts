import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { sqliteCode } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { atGroupEnd, type Transact } from '../../database/transactions.ts';
import { requestRebuild } from './index-state.ts';

/** FTS5 tables. Their rowids are `search_docs.doc` and `search_channels.id`. */
const ftsTables = ['search_docs_fts', 'search_channels_fts'] as const;
type FtsTable = (typeof ftsTables)[number];

/** Pages that one step of a merge writes in about 10 ms. */
const mergedPages = 16;

/** SQLITE_ERROR, the code of many kinds of faults. */
const sqliteError = 1;
/** SQLITE_CORRUPT, and SQLITE_CONSTRAINT, which these statements cause only on damaged tables. */
const damageCodes = new Set([11, 19]);

interface FtsRow {
  rowid: number;
  /** Undefined deletes the row. */
  tokens: string[] | undefined;
}

interface FtsChange extends FtsRow {
  table: FtsTable;
  isNew: boolean;
}

/** As `replaceFtsRows`, for a row that does not exist yet. */
export function insertFtsRow(trx: Database, table: FtsTable, row: FtsRow): Promise<void> {
  return atGroupEnd(trx, applyChanges, [{ table, isNew: true, ...row }]);
}

/** Replaces rows at the end of the group of writes, because FTS5 writes to disk at each savepoint. */
export function replaceFtsRows(trx: Database, table: FtsTable, rows: FtsRow[]): Promise<void> {
  return atGroupEnd<FtsChange>(
    trx,
    applyChanges,
    rows.map((row) => ({ table, isNew: false, ...row })),
  );
}

function applyChanges(trx: Database, changes: FtsChange[]): Promise<void> {
  return unlessDamaged(trx, async () => {
    for (const table of ftsTables) {
      const ofTable = changes.filter((change) => change.table === table);
      if (ofTable.length > 0) await writeRows(trx, table, ofTable);
    }
  });
}

/**
 * Writes the last change of each row. One statement inserts all rows in order, because FTS5 makes a segment for each
 * such statement, and another at a row that is lower than the one before. Rows are deleted before they are inserted
 * again, because a contentless table would keep both.
 */
async function writeRows(trx: Database, table: FtsTable, changes: FtsChange[]): Promise<void> {
  const byRowid = new Map(changes.map((change) => [change.rowid, change]));
  const rows = [...byRowid.values()].sort((one, other) => one.rowid - other.rowid);
  const replaced = rows.flatMap(({ rowid, isNew }) => (isNew ? [] : [rowid]));
  if (replaced.length > 0) {
    await sql`
      delete from ${sql.table(table)}
      where rowid in (select value from json_each(${JSON.stringify(replaced)}))
    `.execute(trx);
  }
  const values = rows.flatMap(({ rowid, tokens }) => (tokens ? [[rowid, tokens.join(' ')]] : []));
  if (values.length === 0) return;
  await sql`
    insert into ${sql.table(table)} (rowid, tokens)
    select value->>0, value->>1 from json_each(${JSON.stringify(values)})
  `.execute(trx);
}

/** Whether FTS5 failed because its tables are damaged or missing. */
export function isIndexDamaged(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code !== sqliteError) return damageCodes.has(code);
  return /no such table|constructor failed|invalid fts5|SQL logic error/.test(String(error));
}

/**
 * Changes the FTS5 tables. If they are damaged, rolls the change back and requests a rebuild, so that
 * writing comments still works.
 */
async function unlessDamaged(trx: Database, change: () => Promise<void>): Promise<void> {
  await sql`savepoint search_index`.execute(trx);
  try {
    await change();
    // A savepoint makes FTS5 write to disk, so that damage is found here and not at the commit.
    await sql`savepoint search_index`.execute(trx);
    await sql`release search_index`.execute(trx);
  } catch (error) {
    if (!isIndexDamaged(error)) throw error;
    await sql`rollback to search_index`.execute(trx);
    await requestRebuild(trx);
  }
  await sql`release search_index`.execute(trx);
}

/** Replaces the tables, even damaged ones, by empty tables. */
export async function createFtsTables(trx: Database): Promise<void> {
  for (const table of ftsTables) {
    await sql`drop table if exists ${sql.table(table)}`.execute(trx);
    await sql`create virtual table ${sql.table(table)} using fts5(
        tokens, content='', contentless_delete=1, detail=none, prefix=3,
        tokenize="ascii tokenchars '_'"
      )`.execute(trx);
    // Half as many merges halve the cost of a write, and make searches hardly slower.
    await sql`insert into ${sql.table(table)} (${sql.ref(table)}, rank) values ('automerge', 8)`.execute(
      trx,
    );
  }
}

/**
 * Erases the words of deleted rows, which FTS5 stores until it merges their segments. Merges all
 * segments into one, in steps that other writes can run between.
 */
export async function mergeFtsTables(transact: Transact): Promise<void> {
  // A merge that was already running keeps words of rows deleted since its start. A second one erases them.
  for (const table of [...ftsTables, ...ftsTables]) {
    // In FTS5 a negative number starts a merge of all segments, and a positive one continues it.
    let goesOn = await mergeStep(transact, table, -mergedPages);
    while (goesOn) {
      await yieldToEventLoop();
      goesOn = await mergeStep(transact, table, mergedPages);
    }
  }
}

/** @returns false when there was nothing to merge */
function mergeStep(transact: Transact, table: FtsTable, pages: number): Promise<boolean> {
  return transact('search index', async (trx) => {
    let changes = 0;
    await unlessDamaged(trx, async () => {
      const before = await countChanges(trx);
      await sql`
        insert into ${sql.table(table)} (${sql.ref(table)}, rank) values ('merge', ${pages})
      `.execute(trx);
      changes = (await countChanges(trx)) - before;
    });
    // FTS5 counts the command itself as one change.
    return changes >= 2;
  });
}

async function countChanges(trx: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(trx);
  return rows[0]?.count ?? 0;
}
