import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { blockDocs, blockOf, blockToken } from '../index/comment-tokens.ts';
import { requestRebuild } from '../index/index-state.ts';
import { isIndexDamaged } from '../index/sqlite-index.ts';
import {
  checkedToken,
  exactly,
  type FoundDocs,
  isCollected,
  isLongPrefix,
  type Match,
  type Terms,
} from './terms.ts';

/** Limits of a prefix: FTS5 collects this much in 25 ms. */
const most = {
  /** Distinct words; ordinary texts have a tenth of it. */
  words: 50_000,
  /** Sum of the comments in which each word occurs. */
  occurrences: 400_000,
};
/** Blocks of one statement, which blocks the event loop. A costly one looks up many words, or collects a prefix, each time. */
const blocksAtOnce = { usual: 1, costly: 8 };
/** Words beyond which a statement is costly. */
const mostMatches = 64;

/**
 * Finds the highest docs below `end` that match, block by block.
 * @param endMs time of `performance.now` at which it ends early
 */
export async function findDocs(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
  endMs: number,
): Promise<FoundDocs> {
  const required = await withoutCrowdedPrefixes(db, terms.required);
  const notAll = terms.notAll && (await withoutCrowdedPrefixes(db, terms.notAll));
  const isCostly = required.flat().length > mostMatches || required.flat().some(isCollected);
  const atOnce = isCostly ? blocksAtOnce.costly : blocksAtOnce.usual;
  const docs: number[] = [];
  let rest = end;
  while (rest > 0 && docs.length < limit && performance.now() < endMs) {
    const newest = blockOf(rest - 1);
    const oldest = Math.max(0, newest - atOnce + 1);
    // FTS5 would read all rows above `rest`, and continue below the blocks until one matches; their tokens let it
    // skip both.
    const blocks = Array.from({ length: newest - oldest + 1 }, (_, index) =>
      exactly(blockToken(newest - index)),
    );
    const query = sql<{ rowid: number }>`
      select rowid from search_docs_fts
      where search_docs_fts match ${matchOf({ ...terms, required: [...required, blocks], notAll })} and rowid < ${rest}
      order by rowid desc limit ${limit - docs.length}
    `;
    const { rows } = await readIndex(db, query);
    docs.push(...rows.map(({ rowid }) => rowid));
    rest = oldest * blockDocs;
    await yieldToEventLoop();
  }
  return { docs, rest };
}

/**
 * Turns a prefix of too many words into a whole word: FTS5 collects all of their rows at once, which would
 * block the event loop.
 */
async function withoutCrowdedPrefixes(db: Database, required: Match[][]): Promise<Match[][]> {
  if (!required.flat().some(isCollected)) return required;
  // A temporary virtual table of the index's words, which stores nothing.
  const create = sql`
    create virtual table if not exists temp.search_words using fts5vocab(main, search_docs_fts, row)
  `;
  await readIndex(db, create);
  const uncrowded = async (match: Match) =>
    isCollected(match) && (await isCrowded(db, match.token)) ? exactly(match.token) : match;
  return Promise.all(required.map((matches) => Promise.all(matches.map(uncrowded))));
}

async function isCrowded(db: Database, prefix: string): Promise<boolean> {
  // The window's sums grow row by row, so that the words are read only as far as the limits.
  const query = sql`
    select 1 from (
      select count(*) over prefixed as words, sum(doc) over prefixed as occurrences
      from temp.search_words where term >= ${prefix} and term < ${`${prefix}\u{10ffff}`}
      window prefixed as (order by term rows unbounded preceding)
    ) where words > ${most.words} or occurrences > ${most.occurrences} limit 1
  `;
  return (await readIndex(db, query)).rows.length > 0;
}

export async function findChannels(db: Database, terms: Terms, limit: number): Promise<string[]> {
  // A cross join keeps this order of tables, so that the newest matches are examined one by one.
  const query = sql<{ channel_id: string }>`
    select search_channels.channel_id
    from search_channels_fts
    cross join search_channels on search_channels.id = search_channels_fts.rowid
    cross join visible_channels on visible_channels.id = search_channels.channel_id
    where search_channels_fts match ${matchOf(terms)}
    order by search_channels_fts.rowid desc limit ${limit}
  `;
  const { rows } = await readIndex(db, query);
  return rows.map((row) => row.channel_id);
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

/** Builds the operand of FTS5's MATCH. */
function matchOf({ required, excluded, notAll }: Terms): string {
  const none = excluded.map(quoted);
  if (notAll) none.push(`(${allOf(notAll)})`);
  return none.length > 0 ? `(${allOf(required)}) NOT (${none.join(' OR ')})` : allOf(required);
}

function allOf(required: Match[][]): string {
  return required.map((matches) => `(${matches.map(phraseOf).join(' OR ')})`).join(' AND ');
}

function phraseOf(match: Match): string {
  return isLongPrefix(match) ? `${quoted(match.token)} *` : quoted(match.token);
}

function quoted(token: string): string {
  return `"${checkedToken(token)}"`;
}
