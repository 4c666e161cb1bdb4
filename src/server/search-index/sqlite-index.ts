import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import { sqliteCode } from '../database/errors.ts';
import type { Database } from '../database/tables.ts';
import { atGroupEnd, type WithTransaction } from '../database/transactions.ts';
import { wholeText } from '../texts/whole-text.ts';
import { requestMerge, requestRebuild } from './index-state.ts';
import type { Index, IndexRow, ReadComment } from './index-type.ts';

/** Pages that one step of a merge writes, in about 10 ms. */
const mergedPages = 16;

/** SQLITE_ERROR, the code of many kinds of faults. */
const sqliteError = 1;
/** SQLITE_CORRUPT and SQLITE_CONSTRAINT. These statements cause the latter only on damaged tables. */
const damageCodes = new Set([11, 19]);

/** Stores words in an FTS5 table. */
export const sqliteIndex: Index = {
  addComment: async (trx, { channelId, number }, tokens) => {
    const { rows } = await sql<{ doc: number }>`
      insert into search_docs (channel, number)
      select id, ${number} from search_channels where channel_id = ${channelId}
      returning doc
    `.execute(trx);
    await writeWords(
      trx,
      rows.map(({ doc }) => ({ doc, tokens, isNew: true })),
    );
  },

  insertRows: async (trx, rows) => {
    if (rows.length === 0) return;
    const values = rows.map(({ doc, channel, number }) => [doc, channel, number]).reverse();
    await sql`
      insert into search_docs (doc, channel, number)
      select value->>0, value->>1, value->>2 from json_each(${JSON.stringify(values)})
    `.execute(trx);
    await writeWords(trx, rows);
  },

  writeWords,
  eraseWords: async (trx, docs) => {
    if (docs.length === 0) return;
    await requestMerge(trx);
    await writeWords(
      trx,
      docs.map((doc) => ({ doc, tokens: undefined })),
    );
  },

  emptyWords: async (trx) => {
    await sql`drop table if exists search_docs_fts`.execute(trx);
    await sql`create virtual table search_docs_fts using fts5(
        tokens, content='', contentless_delete=1, detail=none, prefix=3,
        tokenize="ascii tokenchars '_'"
      )`.execute(trx);
    // Half as many merges halve the cost of a write and hardly slow down searches.
    await command(trx, 'automerge', 8);
    // Without this, a single deletion merges a large part of the index once a tenth is deleted: 400 ms with 100,000
    // comments.
    await command(trx, 'deletemerge', 0);
  },

  mergeWords,

  readComments: async (trx, comments) => {
    const given = JSON.stringify(comments.map(({ channel, number }) => [channel, number]));
    const { rows } = await sql<ReadComment>`
      select given.at, s.channel_id as "channelId", c.account_id as "authorId", ${wholeText('c')} as text from
        (select key as at, value->>0 as channel, value->>1 as number from json_each(${given})) given
        cross join search_channels s on s.id = given.channel
        cross join comments c on c.channel_id = s.channel_id and c.number = given.number
    `.execute(trx);
    return rows;
  },
};

/** Replaces words at the end of the group of writes, because FTS5 writes to disk at each savepoint. */
function writeWords(trx: Database, rows: IndexRow[]): Promise<void> {
  return atGroupEnd(trx, replaceUnlessDamaged, rows);
}

function replaceUnlessDamaged(trx: Database, changes: IndexRow[]): Promise<void> {
  return unlessDamaged(trx, () => replaceRows(trx, changes));
}

/**
 * Writes the last change of each row. One statement inserts all rows in order, because FTS5 creates a segment for
 * each such statement, and another at a row that is lower than the one before. Rows are deleted before they are
 * inserted again, because a contentless table would keep both versions.
 */
async function replaceRows(trx: Database, changes: IndexRow[]): Promise<void> {
  const byDoc = new Map(changes.map((change) => [change.doc, change]));
  const rows = [...byDoc.values()].sort((one, other) => one.doc - other.doc);
  // A doc may be erased and then given to a new row within one group of writes.
  const replaced = new Set(changes.flatMap(({ doc, isNew }) => (isNew ? [] : [doc])));
  if (replaced.size > 0) {
    await sql`
      delete from search_docs_fts
      where rowid in (select value from json_each(${JSON.stringify([...replaced])}))
    `.execute(trx);
  }
  const values = rows.flatMap(({ doc, tokens }) => (tokens ? [[doc, tokens.join(' ')]] : []));
  if (values.length === 0) return;
  await sql`
    insert into search_docs_fts (rowid, tokens)
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

function command(trx: Database, name: string, value: number) {
  return sql`
    insert into search_docs_fts (search_docs_fts, rank) values (${name}, cast(${value} as integer))
  `.execute(trx);
}

/**
 * Erases the words of deleted rows, which FTS5 stores until it merges their segments. Merges all segments into one,
 * in steps between which other writes can run.
 */
async function mergeWords(withTransaction: WithTransaction): Promise<void> {
  // A merge that was already running keeps words of rows deleted since its start. A second one erases them.
  for (let merges = 0; merges < 2; merges++) {
    // In FTS5 a negative number starts a merge of all segments, and a positive one continues it.
    for (let pages = -mergedPages, goesOn = true; goesOn; pages = mergedPages) {
      goesOn = await mergeStep(withTransaction, pages);
      await yieldToEventLoop();
    }
  }
}

/** @returns false when there was nothing to merge */
function mergeStep(withTransaction: WithTransaction, pages: number): Promise<boolean> {
  return withTransaction('search index', async (trx) => {
    let changes = 0;
    await unlessDamaged(trx, async () => {
      const before = await countChanges(trx);
      await command(trx, 'merge', pages);
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
