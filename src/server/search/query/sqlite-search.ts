import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { ftsTable, type IndexTable, isIndexDamaged } from '../index/index-rows.ts';
import { requestRebuild } from '../index/index-state.ts';
import { type FoundDocs, type Match, prefixOf, quoted, type Terms } from './terms.ts';

/** Words that stand for a prefix or for many matches: the event loop is blocked for some milliseconds. */
const mostMatches = 64;
/** Words with a prefix among which the most frequent ones stand for it. */
const comparedWords = 2000;

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
  const anyOf = (matches: Match[]) => matches.map((match) => quoted(match, '"', ' *')).join(' OR ');
  const required: string[] = [];
  for (const entry of terms.required)
    required.push(`(${anyOf(await occurring(db, table, entry))})`);
  const all = required.join(' AND ');
  return terms.excluded.length > 0 ? `(${all}) NOT (${anyOf(terms.excluded)})` : all;
}

/**
 * Puts words that occur in place of prefixes, since FTS5 collects all rows of all their words at once, and of many
 * matches leaves those that occur.
 */
async function occurring(db: Database, table: IndexTable, entry: Match[]): Promise<Match[]> {
  // Prefixes of three letters are in the index themselves.
  const prefixes = entry.flatMap((match) => prefixOf(match, 4) ?? []);
  if (prefixes.length === 0 && entry.length <= mostMatches) return entry;
  // A temporary virtual table of the index's words, which stores nothing.
  const words = sql.table(`temp.${table}_words`);
  const create = sql`create virtual table if not exists ${words} using fts5vocab(main, ${ftsTable(table)}, row)`;
  await readIndex(db, create);
  const whole = entry.filter((match) => !prefixes.includes(match.slice(0, -1)));
  const found: Match[] = prefixes.length > 0 ? whole : [];
  const read = async (query: RawBuilder<{ term: string }>) => {
    found.push(...(await readIndex(db, query)).rows.map(({ term }) => term));
    await yieldToEventLoop();
  };
  for (const prefix of prefixes) {
    await read(sql`
      select term from (
        select term, doc from ${words} where term >= ${prefix} and term < ${`${prefix}\u{10ffff}`}
        limit ${comparedWords}
      ) order by doc desc limit ${mostMatches}
    `);
  }
  for (
    let at = 0;
    prefixes.length === 0 && at < whole.length && found.length < mostMatches;
    at += mostMatches
  ) {
    const some = JSON.stringify(whole.slice(at, at + mostMatches));
    await read(sql`select term from ${words} where term in (select value from json_each(${some}))`);
  }
  return found.length > 0 ? found : entry.slice(0, 1).map((match) => match.replace('*', ''));
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
