import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { ftsTable, type IndexTable, isIndexDamaged } from '../index/index-rows.ts';
import { requestRebuild } from '../index/index-state.ts';
import type { FoundDocs } from './find-docs.ts';
import { type Match, prefixOf, quoted, type Terms } from './terms.ts';

/** Limits of a prefix: FTS5 collects this much in 25 ms. */
const most = {
  /** Distinct words; ordinary texts have a tenth of it. */
  words: 50_000,
  /** Sum of the comments in which each word occurs. */
  occurrences: 400_000,
};
/** Matches of an entry that are searched for at once, and that are looked up at once. */
const mostMatches = 64;

/** Finds the highest docs below `end` that match. */
export async function findDocs(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
): Promise<FoundDocs> {
  const { rows } = await readIndex(
    db,
    sql<{ rowid: number }>`
      select rowid from search_docs_fts
      where search_docs_fts match ${await matchOf(db, 'search_docs', terms)} and rowid < ${end}
      order by rowid desc limit ${limit}
    `,
  );
  return { docs: rows.map(({ rowid }) => rowid), rest: null };
}

export async function findChannels(db: Database, terms: Terms, limit: number): Promise<string[]> {
  // A cross join keeps this order of tables, so that the newest matches are examined one by one.
  const query = sql<{ channel_id: string }>`
    select search_channels.channel_id
    from search_channels_fts
    cross join search_channels on search_channels.id = search_channels_fts.rowid
    cross join visible_channels on visible_channels.id = search_channels.channel_id
    where search_channels_fts match ${await matchOf(db, 'search_channels', terms)}
    order by search_channels_fts.rowid desc limit ${limit}
  `;
  const { rows } = await readIndex(db, query);
  return rows.map((row) => row.channel_id);
}

/** The operand of FTS5's MATCH. */
async function matchOf(db: Database, table: IndexTable, terms: Terms): Promise<string> {
  const required = await Promise.all(terms.required.map((entry) => simplify(db, table, entry)));
  const anyOf = (matches: Match[]) => matches.map((match) => quoted(match, '"', ' *')).join(' OR ');
  const all = required.map((matches) => `(${anyOf(matches)})`).join(' AND ');
  return terms.excluded.length > 0 ? `(${all}) NOT (${anyOf(terms.excluded)})` : all;
}

/**
 * Turns a prefix of too many words into a whole word, since FTS5 collects all of their rows at once, and leaves of many
 * matches those that occur.
 */
async function simplify(db: Database, table: IndexTable, entry: Match[]): Promise<Match[]> {
  // A temporary virtual table of the index's words, which stores nothing.
  const words = sql.table(`temp.${table}_words`);
  const isLong = entry.length > mostMatches;
  // Three letters are in the index themselves.
  const prefixes = entry.flatMap((match) => prefixOf(match, 4) ?? []);
  if (!isLong && prefixes.length === 0) return entry;
  await readIndex(
    db,
    sql`
    create virtual table if not exists ${words} using fts5vocab(main, ${ftsTable(table)}, row)
  `,
  );
  const crowded: Match[] = [];
  for (const prefix of prefixes) if (await isCrowded(db, words, prefix)) crowded.push(`${prefix}*`);
  const some = entry.map((match) => (crowded.includes(match) ? match.slice(0, -1) : match));
  if (!isLong) return some;
  const found: Match[] = [];
  for (let at = 0; at < some.length && found.length < mostMatches; at += mostMatches) {
    // Each look-up blocks the event loop for a few milliseconds.
    await yieldToEventLoop();
    const looked = JSON.stringify(some.slice(at, at + mostMatches));
    const query = sql<{ term: string }>`
      select term from ${words} where term in (select value from json_each(${looked}))
    `;
    found.push(...(await readIndex(db, query)).rows.map(({ term }) => term));
  }
  return found.length > 0 ? found.slice(0, mostMatches) : some.slice(0, 1);
}

async function isCrowded(
  db: Database,
  words: RawBuilder<unknown>,
  prefix: string,
): Promise<boolean> {
  // The window's sums grow row by row, so that the words are read only as far as the limits.
  const query = sql`
    select 1 from (
      select count(*) over prefixed as words, sum(doc) over prefixed as occurrences
      from ${words} where term >= ${prefix} and term < ${`${prefix}\u{10ffff}`}
      window prefixed as (order by term rows unbounded preceding)
    ) where words > ${most.words} or occurrences > ${most.occurrences} limit 1
  `;
  return (await readIndex(db, query)).rows.length > 0;
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
