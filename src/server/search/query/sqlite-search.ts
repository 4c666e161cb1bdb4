import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { requestRebuild } from '../../search-index/index-state.ts';
import { isIndexDamaged } from '../../search-index/sqlite-index.ts';
import {
  type DocPage,
  joinEntries,
  type Match,
  prefixOf,
  quoted,
  type SearchQueries,
  type Terms,
} from './terms.ts';

/** Maximum number of variants of a word to search for. Looking them up blocks the event loop for a few milliseconds. */
const mostVariants = 64;
/** Maximum number of words that begin with a prefix. Counting them takes as long. */
const mostBegun = 50_000;
/** A temporary virtual table of the words of the index, which stores nothing. */
const vocabulary = sql.table('temp.search_words');

export const sqliteSearch: SearchQueries = {
  findDocs,
  occurring,
  commentOfDoc: sql`comments`,
  inTime: (db, find) => find(db, false),
};

/** Finds the highest docs below `end` that match. */
async function findDocs(db: Database, terms: Terms, { end, limit }: DocPage): Promise<number[]> {
  const match = await matchOf(db, terms);
  // Each statement blocks the event loop for a few milliseconds, and a search may need several.
  await yieldToEventLoop();
  // FTS5 ignores a bound that is not an integer, as parameters are not, and would walk from the highest doc.
  const { rows } = await readIndex(
    db,
    sql<{ rowid: number }>`
      select rowid from search_docs_fts
      where search_docs_fts match ${match} and rowid < cast(${end} as integer)
      order by rowid desc limit ${limit}
    `,
  );
  return rows.map(({ rowid }) => rowid);
}

/** The operand of FTS5's MATCH. */
async function matchOf(db: Database, terms: Terms): Promise<string> {
  const anyOf = (matches: Match[]) => matches.map((match) => quoted(match, '"', ' *')).join(' OR ');
  const join = async (entries: Match[][], missing = 0) => {
    const all: string[] = [];
    for (const entry of entries) {
      const bounded = await Promise.all(entry.map((match) => boundPrefix(db, match)));
      all.push(`(${anyOf(bounded)})`);
    }
    return joinEntries(all, missing, ' AND ', ' OR ');
  };
  const { required, missing, within = [], excluded, except } = terms;
  let match = await join(required, missing);
  if (within.length > 0) match += ` AND ${await join(within)}`;
  if (excluded.length > 0) match = `(${match}) NOT (${anyOf(excluded)})`;
  return except ? `(${match}) NOT ${await join(except)}` : match;
}

/**
 * Replaces a prefix that has too many words with the whole word, because FTS5 would collect all their rows at once.
 */
async function boundPrefix(db: Database, match: Match): Promise<Match> {
  // FTS5 has an index of three-letter prefixes.
  const prefix = prefixOf(match, 4);
  if (prefix === undefined) return match;
  const begins = sql`term >= ${prefix} and term < ${`${prefix}\u{10ffff}`}`;
  const some = sql`select 1 from ${vocabulary} where ${begins} limit ${mostBegun + 1}`;
  const [count] = await readWords(
    db,
    sql<{ words: number }>`select count(*) as words from (${some})`,
  );
  return (count?.words ?? 0) > mostBegun ? prefix : match;
}

/** Which of these tokens occur in the index; of many tokens, only the first ones. */
async function occurring(db: Database, tokens: string[]): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < tokens.length && found.length < mostVariants; at += mostVariants) {
    const some = JSON.stringify(tokens.slice(at, at + mostVariants));
    const words = sql<{ term: string }>`
      select term from ${vocabulary} where term in (select value from json_each(${some}))
    `;
    found.push(...(await readWords(db, words)).map(({ term }) => term));
  }
  return found;
}

/** Runs a query on `vocabulary`, after creating it if it is missing. */
async function readWords<Row>(db: Database, query: RawBuilder<Row>): Promise<Row[]> {
  const create = sql`create virtual table if not exists ${vocabulary} using fts5vocab(main, search_docs_fts, row)`;
  await readIndex(db, create);
  const { rows } = await readIndex(db, query);
  await yieldToEventLoop();
  return rows;
}

/** @throws DatabaseUnavailable when the index is damaged, after requesting a rebuild */
async function readIndex<Row>(db: Database, query: RawBuilder<Row>) {
  try {
    return await query.execute(db);
  } catch (error) {
    if (!isIndexDamaged(error)) throw error;
    await requestRebuild(db);
    throw new DatabaseUnavailable(error);
  }
}
