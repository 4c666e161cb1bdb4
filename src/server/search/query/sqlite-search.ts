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
/** Blocks after the newest one that one statement searches: the event loop is blocked for 25 ms. */
const blocksAtOnce = 16;
/** Matches of an entry that one statement looks for. */
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
  const required = await simplify(db, 'search_docs', terms.required);
  if (required.some(({ length }) => length === 0)) return { docs: [], rest: 0 };
  // Most searches end in the newest block. Each statement collects a prefix again.
  let atOnce = required.flat().some(isCollected) ? blocksAtOnce : 1;
  const docs: number[] = [];
  let rest = end;
  while (rest > 0 && docs.length < limit && performance.now() < endMs) {
    const newest = blockOf(rest - 1);
    const oldest = Math.max(0, newest - atOnce + 1);
    // FTS5 would continue below the blocks until a row matches; their tokens end it.
    const blocks = Array.from({ length: newest - oldest + 1 }, (_, index) =>
      exactly(blockToken(newest - index)),
    );
    const match = matchOf({ ...terms, required: oldest === 0 ? required : [...required, blocks] });
    const query = sql<{ rowid: number }>`
      select rowid from search_docs_fts
      where search_docs_fts match ${match} and rowid < ${rest}
      order by rowid desc limit ${limit - docs.length}
    `;
    const { rows } = await readIndex(db, query);
    docs.push(...rows.map(({ rowid }) => rowid));
    rest = oldest * blockDocs;
    atOnce = blocksAtOnce;
    await yieldToEventLoop();
  }
  return { docs, rest };
}

/**
 * Turns a prefix of too many words into a whole word, since FTS5 collects all of their rows at once, and leaves of many
 * matches only the first ones that occur.
 */
async function simplify(
  db: Database,
  table: 'search_docs' | 'search_channels',
  required: Match[][],
): Promise<Match[][]> {
  const isLong = ({ length }: Match[]) => length > mostMatches;
  if (!required.some(isLong) && !required.flat().some(isCollected)) return required;
  // A temporary virtual table of the index's words, which stores nothing.
  const words = sql.table(`temp.${table}_words`);
  const create = sql`
    create virtual table if not exists ${words} using fts5vocab(main, ${sql.table(`${table}_fts`)}, row)
  `;
  await readIndex(db, create);
  const simple: Match[][] = [];
  for (const matches of required) {
    if (isLong(matches)) simple.push(await findOccurring(db, words, matches));
    else simple.push(await Promise.all(matches.map((match) => uncrowded(db, words, match))));
  }
  return simple;
}

/** Looks the matches up one by one, in statements that block the event loop for a few milliseconds. */
async function findOccurring(
  db: Database,
  words: RawBuilder<unknown>,
  matches: Match[],
): Promise<Match[]> {
  const found: Match[] = [];
  for (let start = 0; start < matches.length && found.length < mostMatches; start += mostMatches) {
    const some = matches.slice(start, start + mostMatches);
    const tokens = JSON.stringify(some.map(({ token }) => token));
    const query = sql<{ term: string }>`
      select term from ${words} where term in (select value from json_each(${tokens}))
    `;
    const terms = new Set((await readIndex(db, query)).rows.map(({ term }) => term));
    found.push(...some.filter(({ token }) => terms.has(token)));
    await yieldToEventLoop();
  }
  return found.slice(0, mostMatches);
}

async function uncrowded(db: Database, words: RawBuilder<unknown>, match: Match): Promise<Match> {
  return isCollected(match) && (await isCrowded(db, words, match.token))
    ? exactly(match.token)
    : match;
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

export async function findChannels(db: Database, terms: Terms, limit: number): Promise<string[]> {
  const required = await simplify(db, 'search_channels', terms.required);
  if (required.some(({ length }) => length === 0)) return [];
  // A cross join keeps this order of tables, so that the newest matches are examined one by one.
  const query = sql<{ channel_id: string }>`
    select search_channels.channel_id
    from search_channels_fts
    cross join search_channels on search_channels.id = search_channels_fts.rowid
    cross join visible_channels on visible_channels.id = search_channels.channel_id
    where search_channels_fts match ${matchOf({ ...terms, required })}
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
function matchOf({ required, excluded }: Terms): string {
  const all = required.map((matches) => `(${matches.map(phraseOf).join(' OR ')})`).join(' AND ');
  return excluded.length > 0 ? `(${all}) NOT (${excluded.map(quoted).join(' OR ')})` : all;
}

function phraseOf(match: Match): string {
  return isLongPrefix(match) ? `${quoted(match.token)} *` : quoted(match.token);
}

function quoted(token: string): string {
  return `"${checkedToken(token)}"`;
}
