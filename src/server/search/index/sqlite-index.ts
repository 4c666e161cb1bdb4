import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { sqliteCode } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { atGroupEnd, type Transact } from '../../database/transactions.ts';
import { requestRebuild } from './index-state.ts';

/** Tables of FTS5. Their rows are those of `search_docs` and `search_channels`. */
const ftsTables = ['search_docs_fts', 'search_channels_fts'] as const;
type FtsTable = (typeof ftsTables)[number];

/** Pages that a step of a merge writes: about 10 ms. */
const mergedPages = 16;

/** SQLITE_ERROR, of faults of many kinds. */
const sqliteError = 1;
/** SQLITE_CORRUPT, and SQLITE_CONSTRAINT, which own statements never meet. */
const damageCodes = new Set([11, 19]);

interface FtsRow {
  rowid: number;
  /** Undefined for a row that is deleted. */
  tokens: string[] | undefined;
}

/** Inserts a row that does not exist, as `replaceFtsRows`. */
export function insertFtsRow(trx: Database, table: FtsTable, row: FtsRow): Promise<void> {
  return atGroupEnd(trx, unlessDamaged, () => insert(trx, table, [row]));
}

/**
 * Replaces rows, at the end of the group of writes: FTS5 writes what it has collected to disk at each
 * savepoint. A table without content would keep the old row beside a new one that is only inserted.
 * @param rows in ascending order
 */
export function replaceFtsRows(trx: Database, table: FtsTable, rows: FtsRow[]): Promise<void> {
  return atGroupEnd(trx, unlessDamaged, async () => {
    const rowids = JSON.stringify(rows.map(({ rowid }) => rowid));
    await sql`
      delete from ${sql.table(table)} where rowid in (select value from json_each(${rowids}))
    `.execute(trx);
    await insert(trx, table, rows);
  });
}

/** Whether FTS5 failed because its tables are damaged or missing. */
export function isIndexDamaged(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code !== sqliteError) return damageCodes.has(code);
  return /no such table|constructor failed|invalid fts5|SQL logic error/.test(String(error));
}

/**
 * Changes FTS5's tables. When they are damaged, drops the changes and has the index built again from
 * what is stored, so that a damaged index keeps nobody from writing.
 */
async function unlessDamaged(trx: Database, change: () => Promise<void>): Promise<void> {
  await sql`savepoint search_index`.execute(trx);
  try {
    await change();
    // FTS5 writes what it has collected to disk: damage shows here, and not when it is committed.
    await sql`savepoint search_index`.execute(trx);
    await sql`release search_index`.execute(trx);
  } catch (error) {
    if (!isIndexDamaged(error)) throw error;
    await sql`rollback to search_index`.execute(trx);
    await requestRebuild(trx);
  }
  await sql`release search_index`.execute(trx);
}

/** Replaces the tables by empty ones, whatever is in them. */
export async function createFtsTables(trx: Database): Promise<void> {
  for (const table of ftsTables) {
    await sql`drop table if exists ${sql.table(table)}`.execute(trx);
    await sql`create virtual table ${sql.table(table)} using fts5(
        tokens, content='', contentless_delete=1, detail=none, prefix=3,
        tokenize="ascii tokenchars '_'"
      )`.execute(trx);
    // Merges that are half as frequent make a write cheaper by half, and searches hardly slower.
    await sql`insert into ${sql.table(table)} (${sql.ref(table)}, rank) values ('automerge', 8)`.execute(
      trx,
    );
  }
}

/**
 * Takes the words of deleted rows out of the tables: FTS5 stores them until it has merged the segments
 * that they are in. Merges all segments into one, in steps that other writes can run between.
 */
export async function mergeFtsTables(transact: Transact): Promise<void> {
  // A merge that is under way leaves the words of rows deleted since it began; a second one does not.
  for (const table of [...ftsTables, ...ftsTables]) {
    // A negative number begins with all segments, and positive ones go on.
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
    // FTS5 counts the command itself as one.
    return changes >= 2;
  });
}

async function countChanges(trx: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(trx);
  return rows[0]?.count ?? 0;
}

async function insert(trx: Database, table: FtsTable, rows: FtsRow[]): Promise<void> {
  const values = rows.flatMap(({ rowid, tokens }) => (tokens ? [[rowid, tokens.join(' ')]] : []));
  if (values.length === 0) return;
  await sql`
    insert into ${sql.table(table)} (rowid, tokens)
    select value->>0, value->>1 from json_each(${JSON.stringify(values)})
  `.execute(trx);
}
