import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { requestRebuild } from '../index/index-state.ts';
import { isIndexDamaged } from '../index/sqlite-index.ts';
import { letters } from './misspellings.ts';
import {
  type DocPage,
  joinEntries,
  type Match,
  prefixOf,
  quoted,
  type SearchQueries,
  type Terms,
} from './terms.ts';

/** Words that stand for a prefix or for many matches: the event loop is blocked for some milliseconds. */
const mostMatches = 64;
/** Words with a prefix among which the most frequent ones stand for it: where there are more, those with each next letter too. */
const comparedWords = 2000;
/** Words kept of each next letter, where there are too many words for all to be compared. */
const keptWords = 2;

/** Searches with FTS5. */
export const sqliteSearch: SearchQueries = {
  findDocs,
  occurring,
  commentOfDoc: sql`comments`,
  inTime: (db, find) => find(db, false),
};

/** Finds the highest docs below `end` that match. */
async function findDocs(db: Database, terms: Terms, { end, limit }: DocPage): Promise<number[]> {
  const match = await matchOf(db, terms);
  // Each statement blocks the event loop for some milliseconds, and a search may need several.
  await yieldToEventLoop();
  // FTS5 ignores a bound that is no integer, as parameters are: it would walk from the highest doc.
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
    for (const entry of entries) all.push(`(${anyOf(await wordsOf(db, entry))})`);
    return joinEntries(all, missing, ' AND ', ' OR ');
  };
  const { required, missing, within = [], excluded, except } = terms;
  let match = await join(required, missing);
  if (within.length > 0) match += ` AND ${await join(within)}`;
  if (excluded.length > 0) match = `(${match}) NOT (${anyOf(excluded)})`;
  return except ? `(${match}) NOT ${await join(except.required, except.missing)}` : match;
}

/** Puts words that occur in place of prefixes, since FTS5 collects all rows of all their words at once. */
async function wordsOf(db: Database, entry: Match[]): Promise<Match[]> {
  // Prefixes of three letters are in the index themselves.
  const prefixes = entry.flatMap((match) => prefixOf(match, 4) ?? []);
  if (prefixes.length === 0) return entry;
  /** How many comments have each word that occurs. */
  const docs = new Map<Match, number>();
  const readPrefix = async (prefix: string, limit: number) => {
    const condition = sql`term >= ${prefix} and term < ${`${prefix}\u{10ffff}`}`;
    const rows = await readWords(db, condition, limit);
    for (const { term, doc } of rows) docs.set(term, doc);
    return rows.sort((one, other) => other.doc - one.doc);
  };
  const whole = entry.filter((match) => prefixOf(match, 4) === undefined);
  for (const prefix of prefixes) {
    if ((await readPrefix(prefix, comparedWords)).length < comparedWords) continue;
    for (const letter of letters) {
      const rows = await readPrefix(prefix + letter, comparedWords / 10);
      whole.push(...rows.slice(0, keptWords).map(({ term }) => term));
    }
  }
  const frequent = [...docs].sort(([, one], [, other]) => other - one).slice(0, mostMatches);
  const all = [...new Set([...whole, ...frequent.map(([term]) => term)])];
  return all.length > 0 ? all : prefixes;
}

/** Which of these tokens occur in the index, the first ones of many. */
async function occurring(db: Database, tokens: string[]): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < tokens.length && found.length < mostMatches; at += mostMatches) {
    const some = JSON.stringify(tokens.slice(at, at + mostMatches));
    const isOne = sql`term in (select value from json_each(${some}))`;
    found.push(...(await readWords(db, isOne, mostMatches)).map(({ term }) => term));
  }
  return found;
}

/** Words of the index, and how many docs have each. */
async function readWords(db: Database, condition: RawBuilder<unknown>, limit: number) {
  // A temporary virtual table, which stores nothing.
  const words = sql.table('temp.search_words');
  const create = sql`create virtual table if not exists ${words} using fts5vocab(main, search_docs_fts, row)`;
  await readIndex(db, create);
  const { rows } = await readIndex(
    db,
    sql<{ term: string; doc: number }>`
      select term, doc from ${words} where ${condition} limit ${limit}
    `,
  );
  await yieldToEventLoop();
  return rows;
}

/** @throws DatabaseUnavailable when the index is damaged, which also requests that it is built again */
async function readIndex<Row>(db: Database, query: RawBuilder<Row>) {
  try {
    return await query.execute(db);
  } catch (error) {
    if (!isIndexDamaged(error)) throw error;
    await requestRebuild(db);
    throw new DatabaseUnavailable(error);
  }
}
