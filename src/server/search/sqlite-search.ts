import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../database/errors.ts';
import type { Database } from '../database/tables.ts';
import { requestRebuild } from '../search-index/index-state.ts';
import type { DocRange } from '../search-index/place-tokens.ts';
import { isIndexDamaged } from '../search-index/sqlite-index.ts';
import type { Match } from './parse-query.ts';
import { checkedToken, isLongPrefix, type Terms } from './terms.ts';

/** The highest docs of a range that match. */
export async function findDocsIn(
  db: Database,
  terms: Terms,
  range: DocRange,
  limit: number,
): Promise<number[]> {
  // FTS5 would read all rows above `end` to get there, and go on below the range until one matches;
  // the token of the part lets it skip both.
  const place = [{ token: range.token, isPrefix: false }];
  const match = matchOf({ ...terms, required: [...terms.required, place] });
  const query = sql<{ rowid: number }>`
    select rowid from search_docs_fts
    where search_docs_fts match ${match} and rowid < ${range.end}
    order by rowid desc limit ${limit}
  `;
  const { rows } = await readIndex(db, query);
  return rows.map(({ rowid }) => rowid);
}

export async function findChannels(db: Database, terms: Terms, limit: number): Promise<string[]> {
  // A cross join keeps this order of tables, so that the newest matches are looked at one by one.
  const query = sql<{ channel_id: string }>`
    select search_channels.channel_id
    from search_channels_fts
    cross join search_channels on search_channels.id = search_channels_fts.rowid
    cross join channels on channels.id = search_channels.channel_id
    where search_channels_fts match ${matchOf(terms)} and channels.hidden_at_ms is null
    order by search_channels_fts.rowid desc limit ${limit}
  `;
  const { rows } = await readIndex(db, query);
  return rows.map((row) => row.channel_id);
}

/** @throws DatabaseUnavailable when the index is damaged, which has it built again */
async function readIndex<Row>(db: Database, query: RawBuilder<Row>) {
  try {
    return await query.execute(db);
  } catch (error) {
    if (!isIndexDamaged(error)) throw error;
    await requestRebuild(db);
    throw new DatabaseUnavailable(error);
  }
}

/** What FTS5 takes after MATCH. */
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
