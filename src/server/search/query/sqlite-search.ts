import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { requestRebuild } from '../index/index-state.ts';
import type { DocRange } from '../index/partition-tokens.ts';
import { isIndexDamaged } from '../index/sqlite-index.ts';
import type { Match } from './parse-query.ts';
import { checkedToken, isCollected, isLongPrefix, type Terms } from './terms.ts';

/** Limits of a prefix: FTS5 collects this much in 25 ms. */
const most = {
  /** Distinct words; ordinary texts have a tenth of it. */
  words: 50_000,
  /** Sum of the comments in which each word occurs. */
  occurrences: 400_000,
};

/** Finds the highest docs of a range that match. */
export async function findDocsIn(
  db: Database,
  terms: Terms,
  range: DocRange,
  limit: number,
): Promise<number[]> {
  // FTS5 would read all rows above `end`, and continue below the range until one matches; the token of the
  // part lets it skip both.
  const part = [{ token: range.token, isPrefix: false }];
  const match = matchOf({ ...terms, required: [...terms.required, part] });
  const query = sql<{ rowid: number }>`
    select rowid from search_docs_fts
    where search_docs_fts match ${match} and rowid < ${range.end}
    order by rowid desc limit ${limit}
  `;
  const { rows } = await readIndex(db, query);
  return rows.map(({ rowid }) => rowid);
}

/**
 * Turns a prefix of too many words into a whole word: FTS5 collects all of their rows at once, which would
 * block the event loop.
 */
export async function withoutCrowdedPrefixes(
  db: Database,
  required: Match[][],
): Promise<Match[][]> {
  if (!required.flat().some(isCollected)) return required;
  // A temporary virtual table of the index's words, which stores nothing.
  const create = sql`
    create virtual table if not exists temp.search_words using fts5vocab(main, search_docs_fts, row)
  `;
  await readIndex(db, create);
  const uncrowded = async (match: Match) =>
    isCollected(match) && (await isCrowded(db, match.token))
      ? { ...match, isPrefix: false }
      : match;
  return Promise.all(required.map((matches) => Promise.all(matches.map(uncrowded))));
}

async function isCrowded(db: Database, prefix: string): Promise<boolean> {
  const end = `${prefix}\u{10ffff}`;
  let [words, occurrences] = [0, 0];
  let from = sql`term >= ${prefix}`;
  // Read a few words first, because each of them may occur in all comments.
  for (let atOnce = 128; ; atOnce *= 2) {
    const query = sql<{ words: number; occurrences: number | null; last: string | null }>`
      select count(*) as words, sum(doc) as occurrences, max(term) as last from (
        select term, doc from temp.search_words
        where ${from} and term < ${end} limit ${atOnce}
      )
    `;
    const { rows } = await readIndex(db, query);
    const row = rows[0];
    words += row?.words ?? 0;
    occurrences += row?.occurrences ?? 0;
    if (words > most.words || occurrences > most.occurrences) return true;
    if (!row?.last || row.words < atOnce) return false;
    from = sql`term > ${row.last}`;
  }
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
function matchOf({ required, excluded }: Terms): string {
  const all = required.map((matches) => `(${matches.map(phraseOf).join(' OR ')})`).join(' AND ');
  const none = excluded.map((token) => quoted(token)).join(' OR ');
  return none ? `(${all}) NOT (${none})` : all;
}

function phraseOf(match: Match): string {
  return isLongPrefix(match) ? `${quoted(match.token)} *` : quoted(match.token);
}

function quoted(token: string): string {
  return `"${checkedToken(token)}"`;
}
