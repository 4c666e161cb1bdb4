import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { sqliteCode } from '../../database/errors.ts';
import { isPostgres } from '../../database/is-postgres.ts';
import type { Database } from '../../database/tables.ts';
import { atGroupEnd, type Transact } from '../../database/transactions.ts';
import { requestRebuild } from './index-state.ts';

/** Tables with words, and their keys. On SQLite the keys are the rowids of FTS5 tables, and on PostgreSQL there is a column. */
const keys = { search_docs: 'doc', search_channels: 'id' } as const;
export type IndexTable = keyof typeof keys;
const tables = ['search_docs', 'search_channels'] as const;

/** Pages that one step of a merge writes in about 10 ms. */
const mergedPages = 16;

/** SQLITE_ERROR, the code of many kinds of faults. */
const sqliteError = 1;
/** SQLITE_CORRUPT, and SQLITE_CONSTRAINT, which these statements cause only on damaged tables. */
const damageCodes = new Set([11, 19]);

export interface IndexRow {
  key: number;
  /** Undefined for what must not be found. */
  tokens: string[] | undefined;
  /** Whether the index has no such row yet. */
  isNew?: boolean;
}

interface Change extends IndexRow {
  table: IndexTable;
}

export function ftsTable(table: IndexTable) {
  return sql.table(`${table}_fts`);
}

/** An expression for the column of PostgreSQL. */
export function tsvector(tokens: string[] | undefined): RawBuilder<unknown> {
  return sql`array_to_tsvector(string_to_array(${tokens?.join(' ') ?? null}, ' '))`;
}

/** Replaces words; on SQLite at the end of the group of writes, because FTS5 writes to disk at each savepoint. */
export async function writeWords(
  trx: Database,
  table: IndexTable,
  rows: IndexRow[],
): Promise<void> {
  if (!isPostgres(trx)) {
    const changes = rows.map((row) => ({ ...row, table }));
    return atGroupEnd<Change>(trx, applyChanges, changes);
  }
  if (rows.length === 0) return;
  const words = rows.map(({ tokens }) => tokens?.join(' ') ?? null);
  const written = sql`array_to_tsvector(string_to_array(given.words, ' '))`;
  await sql`
    update ${sql.table(table)} set tokens = ${written}
    from unnest(${rows.map(({ key }) => key)}::int[], ${words}::text[]) as given (key, words)
    where ${sql.ref(keys[table])} = given.key and tokens is distinct from ${written}
  `.execute(trx);
}

function applyChanges(trx: Database, changes: Change[]): Promise<void> {
  return unlessDamaged(trx, async () => {
    for (const table of tables) {
      const ofTable = changes.filter((change) => change.table === table);
      if (ofTable.length > 0) await replaceRows(trx, table, ofTable);
    }
  });
}

/**
 * Writes the last change of each row. One statement inserts all rows in order, because FTS5 makes a segment for each
 * such statement, and another at a row that is lower than the one before. Rows are deleted before they are inserted
 * again, because a contentless table would keep both.
 */
async function replaceRows(trx: Database, table: IndexTable, changes: Change[]): Promise<void> {
  const byKey = new Map(changes.map((change) => [change.key, change]));
  const rows = [...byKey.values()].sort((one, other) => one.key - other.key);
  const replaced = rows.flatMap(({ key, isNew }) => (isNew ? [] : [key]));
  if (replaced.length > 0) {
    await sql`
      delete from ${ftsTable(table)}
      where rowid in (select value from json_each(${JSON.stringify(replaced)}))
    `.execute(trx);
  }
  const values = rows.flatMap(({ key, tokens }) => (tokens ? [[key, tokens.join(' ')]] : []));
  if (values.length === 0) return;
  await sql`
    insert into ${ftsTable(table)} (rowid, tokens)
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

/** Replaces SQLite's tables of words, even damaged ones, by empty ones. */
export async function emptyWords(trx: Database): Promise<void> {
  if (isPostgres(trx)) return;
  for (const table of tables) {
    await sql`drop table if exists ${ftsTable(table)}`.execute(trx);
    await sql`create virtual table ${ftsTable(table)} using fts5(
        tokens, content='', contentless_delete=1, detail=none, prefix=3,
        tokenize="ascii tokenchars '_'"
      )`.execute(trx);
    // Half as many merges halve the cost of a write, and make searches hardly slower.
    await command(trx, table, 'automerge', 8);
  }
}

function command(trx: Database, table: IndexTable, name: string, value: number) {
  return sql`
    insert into ${ftsTable(table)} (${sql.ref(`${table}_fts`)}, rank) values (${name}, ${sql.lit(value)})
  `.execute(trx);
}

/**
 * Erases the words of deleted rows, which FTS5 stores until it merges their segments. Merges all
 * segments into one, in steps that other writes can run between.
 */
export async function mergeFtsTables(transact: Transact): Promise<void> {
  // A merge that was already running keeps words of rows deleted since its start. A second one erases them.
  for (const table of [...tables, ...tables]) {
    // In FTS5 a negative number starts a merge of all segments, and a positive one continues it.
    for (let pages = -mergedPages, goesOn = true; goesOn; pages = mergedPages) {
      goesOn = await mergeStep(transact, table, pages);
      await yieldToEventLoop();
    }
  }
}

/** @returns false when there was nothing to merge */
function mergeStep(transact: Transact, table: IndexTable, pages: number): Promise<boolean> {
  return transact('search index', async (trx) => {
    let changes = 0;
    await unlessDamaged(trx, async () => {
      const before = await countChanges(trx);
      await command(trx, table, 'merge', pages);
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
