import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { isIndexDamaged } from '../index/index-rows.ts';
import { requestRebuild } from '../index/index-state.ts';
import { letters } from './misspellings.ts';
import { type FoundDocs, type Match, prefixOf, quoted, type Terms } from './terms.ts';

/** Words that stand for a prefix or for many matches: the event loop is blocked for some milliseconds. */
const mostMatches = 64;
/** Words with a prefix among which the most frequent ones stand for it: where there are more, those with each next letter too. */
const comparedWords = 2000;
/** Words kept of each next letter, where there are too many words for all to be compared. */
const keptWords = 2;

/** Finds the highest docs below `end` that match. */
export async function findOnSqlite(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
): Promise<FoundDocs> {
  const isExcluded = (entry: Match[]) => entry.every((match) => terms.excluded.includes(match));
  // FTS5 would compare all rows of such a word with themselves.
  if (terms.required.some(isExcluded)) return { docs: [], isLate: false };
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
  return { docs: rows.map(({ rowid }) => rowid), isLate: false };
}

/** The operand of FTS5's MATCH. */
async function matchOf(db: Database, terms: Terms): Promise<string> {
  const anyOf = (matches: Match[]) => matches.map((match) => quoted(match, '"', ' *')).join(' OR ');
  const allOf = async (entries: Match[][]) => {
    const all: string[] = [];
    for (const entry of entries) all.push(`(${anyOf(await occurring(db, entry))})`);
    return `(${all.join(' AND ')})`;
  };
  let match = await allOf(terms.required);
  if (terms.excluded.length > 0) match += ` NOT (${anyOf(terms.excluded)})`;
  return terms.except?.length ? `(${match}) NOT ${await allOf(terms.except)}` : match;
}

/**
 * Puts words that occur in place of prefixes, since FTS5 collects all rows of all their words at once, and of many
 * matches leaves those that occur.
 */
async function occurring(db: Database, entry: Match[]): Promise<Match[]> {
  // Prefixes of three letters are in the index themselves.
  const prefixes = entry.flatMap((match) => prefixOf(match, 4) ?? []);
  if (prefixes.length === 0 && entry.length <= mostMatches) return entry;
  // A temporary virtual table of the index's words, which stores nothing.
  const words = sql.table('temp.search_words');
  const create = sql`create virtual table if not exists ${words} using fts5vocab(main, search_docs_fts, row)`;
  await readIndex(db, create);
  /** How many comments have each word that occurs. */
  const docs = new Map<Match, number>();
  const read = async (condition: RawBuilder<unknown>, limit: number) => {
    const { rows } = await readIndex(
      db,
      sql<{ term: string; doc: number }>`
        select term, doc from ${words} where ${condition} limit ${limit}
      `,
    );
    for (const { term, doc } of rows) docs.set(term, doc);
    await yieldToEventLoop();
    return rows.sort((one, other) => other.doc - one.doc);
  };
  const readPrefix = (prefix: string, limit: number) =>
    read(sql`term >= ${prefix} and term < ${`${prefix}\u{10ffff}`}`, limit);
  const whole = entry.filter((match) => prefixOf(match, 4) === undefined);
  for (const prefix of prefixes) {
    if ((await readPrefix(prefix, comparedWords)).length < comparedWords) continue;
    for (const letter of letters) {
      const rows = await readPrefix(prefix + letter, comparedWords / 10);
      whole.push(...rows.slice(0, keptWords).map(({ term }) => term));
    }
  }
  if (prefixes.length > 0) {
    const frequent = [...docs].sort(([, one], [, other]) => other - one).slice(0, mostMatches);
    const all = [...new Set([...whole, ...frequent.map(([term]) => term)])];
    return all.length > 0 ? all : prefixes;
  }
  for (let at = 0; at < whole.length && docs.size < mostMatches; at += mostMatches) {
    const some = JSON.stringify(whole.slice(at, at + mostMatches));
    await read(sql`term in (select value from json_each(${some}))`, mostMatches);
  }
  return docs.size > 0 ? [...docs.keys()] : whole.slice(0, 1);
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
