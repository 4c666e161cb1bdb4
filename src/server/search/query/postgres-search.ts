import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import type { DocRange } from '../index/partition-tokens.ts';
import type { Match } from './parse-query.ts';
import { checkedToken, isLongPrefix, type Terms } from './terms.ts';

/** Rows that are examined one by one before the index is used. */
const newestRows = 300;
/** Maximum number of rows that one query reads and sorts. */
const sortedRows = 10_000;

export interface FoundDocs {
  /** Numbers of `search_docs`, the highest (newest) first. Phrases are not checked. */
  docs: number[];
  /** The search continues below this doc; null when nothing is left. */
  rest: number | null;
}

export interface NewestDocs extends FoundDocs {
  /** Share of the examined docs that have the whole words; 0 to 1. */
  wordShare: number;
}

/**
 * Finds the highest docs below `end` that match, among the newest rows.
 * @returns with `rest`, the docs from there up have been examined
 */
export async function findNewest(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
): Promise<NewestDocs> {
  const words = wordsOf(terms);
  const hasWords =
    words.length > 0 ? sql`tokens @@ ${tsquery({ required: words, excluded: [] })}` : sql`true`;
  const { rows } = await sql<NewestRow>`
    with newest as materialized (
      select doc, tokens from search_docs where doc < ${end} order by doc desc limit ${newestRows}
    )
    select min(doc) as lowest, count(*) as count, count(*) filter (where ${hasWords}) as with_words,
      array_agg(doc order by doc desc) filter (where tokens @@ ${tsquery(terms)}) as docs
    from newest
  `.execute(db);
  const { docs, lowest, count, with_words } = rows[0] ?? noRows;
  return {
    docs: docs?.slice(0, limit) ?? [],
    rest: count < newestRows ? 0 : lowest,
    wordShare: count === 0 ? 0 : with_words / count,
  };
}

interface NewestRow {
  docs: number[] | null;
  lowest: number | null;
  count: number;
  with_words: number;
}

const noRows: NewestRow = { docs: null, lowest: null, count: 0, with_words: 0 };

/**
 * Finds the highest docs of a range that match, with the GIN index.
 * @param wordShare likely share of docs that have the whole words; 0 to 1
 * @returns undefined when there are more than can be sorted quickly, which does not happen in the smallest
 *   part, or when it takes too long
 */
export async function findDocsIn(
  db: Database,
  terms: Terms,
  range: DocRange,
  limit: number,
  wordShare: number,
): Promise<number[] | undefined> {
  const part = [{ token: range.token, isPrefix: false }];
  const inRange = { ...terms, required: [...terms.required, part] };
  // The index first collects everything that begins with a prefix; rare whole words narrow the search at less
  // cost.
  const words = wordsOf(terms);
  const isMixed = words.length > 0 && words.length < terms.required.length;
  const isNarrowed = isMixed && wordShare * (range.end - range.start) <= sortedRows;
  const narrow = { required: [...words, part], excluded: [] };
  try {
    return (
      (isNarrowed && (await findSorted(db, narrow, range.end, limit, terms))) ||
      (await findSorted(db, inRange, range.end, limit))
    );
  } catch (error) {
    if (tookTooLong(error)) return undefined;
    throw error;
  }
}

/** Returns the requirements that consist of whole words. */
function wordsOf({ required }: Terms): Match[][] {
  return required.filter((matches) => !matches.some(isLongPrefix));
}

/**
 * @param indexed condition that the index evaluates
 * @param filter further condition on the rows from the index
 * @returns undefined when the index gives too many rows
 */
async function findSorted(
  db: Database,
  indexed: Terms,
  end: number,
  limit: number,
  filter?: Terms,
): Promise<number[] | undefined> {
  const match = filter ? sql`tokens @@ ${tsquery(filter)}` : sql`true`;
  // `doc + 0` keeps the planner from reading the rows by their key.
  const rows = await byIndexOnly(
    db,
    sql<{ doc: number | null; hits: number }>`
      with hit as materialized (
        select doc, ${match} as is_match from search_docs
        where tokens @@ ${tsquery(indexed)} and doc + 0 < ${end}
        limit ${sortedRows + 1}
      )
      select found.doc, counted.hits from (select count(*) as hits from hit) as counted
      left join lateral (
        select doc from hit where is_match order by doc desc limit ${limit}
      ) as found on true
    `,
  );
  if ((rows[0]?.hits ?? 0) > sortedRows) return undefined;
  return rows.flatMap(({ doc }) => doc ?? []);
}

export async function findChannels(db: Database, terms: Terms, limit: number): Promise<string[]> {
  const match = tsquery(terms);
  const visible = sql`
    join visible_channels on visible_channels.id = found.channel_id
    where found.tokens @@ ${match}
    order by found.id desc limit ${limit}
  `;
  const newest = await sql<{ channel_id: string }>`
    select found.channel_id from (
      select id, channel_id, tokens from search_channels order by id desc limit ${newestRows}
    ) as found ${visible}
  `.execute(db);
  if (newest.rows.length === limit) return newest.rows.map((row) => row.channel_id);
  const rows = await byIndexOnly(
    db,
    sql<{ channel_id: string }>`
      with found as materialized (
        select id, channel_id, tokens from search_channels where tokens @@ ${match}
      )
      select found.channel_id from found ${visible}
    `,
  );
  return rows.map((row) => row.channel_id);
}

/**
 * Runs a query with scans of whole tables disabled, so that it uses the GIN index: the planner would
 * otherwise read the whole table for frequent words.
 */
function byIndexOnly<Row>(db: Database, query: RawBuilder<Row>): Promise<Row[]> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`set local enable_seqscan = off; set local jit = off; set local statement_timeout = 600`.execute(
        trx,
      );
      return (await query.execute(trx)).rows;
    });
}

/** SQLSTATE query_canceled. */
function tookTooLong(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === '57014';
}

function tsquery({ required, excluded }: Terms): RawBuilder<unknown> {
  const all = required.map((matches) => `(${matches.map(lexeme).join(' | ')})`);
  const none = excluded.map((token) => `!${quoted(token)}`);
  return sql`${[...all, ...none].join(' & ')}::tsquery`;
}

function lexeme(match: Match): string {
  return isLongPrefix(match) ? `${quoted(match.token)}:*` : quoted(match.token);
}

function quoted(token: string): string {
  return `'${checkedToken(token)}'`;
}
