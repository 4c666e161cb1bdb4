import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { firstDoc } from '../index/index-docs.ts';
import { type FoundDocs, type Match, quoted, type Terms } from './terms.ts';

/** SQLSTATE of a query that took longer than `statement_timeout`. */
const queryCanceled = '57014';
/** Docs of the newest range, which is read row by row. Each one below is four times as large, up to a limit. */
const [firstRange, largestRange] = [300, 80_000];
/** Matches of the whole index that one query reads and sorts. */
const sortedRows = 10_000;
/** Time after which a search ends. */
const budgetMs = 1000;

/**
 * Finds the highest docs below `end` that match: among the newest rows, then in the whole index, and range by range
 * where it has too many.
 */
export async function findDocs(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
): Promise<FoundDocs> {
  const match = tsquery(terms);
  const endMs = performance.now() + budgetMs;
  let rest = end - firstRange;
  const docs = await findInRange(db, match, { from: rest, end }, limit);
  if (docs.length === limit) return { docs, rest };
  const others = await findInIndex(db, match, rest, limit - docs.length);
  if (others) return { docs: [...docs, ...others], rest: null };
  const lowest = await firstDoc(db, 'asc');
  for (
    let range = 4 * firstRange;
    rest > lowest && docs.length < limit && performance.now() < endMs;
    range = Math.min(4 * range, largestRange)
  ) {
    const ofRange = { from: rest - range, end: rest };
    docs.push(...(await findInRange(db, match, ofRange, limit - docs.length)));
    rest -= range;
  }
  return { docs, rest: rest > lowest ? rest : null };
}

async function findInRange(
  db: Database,
  match: RawBuilder<unknown>,
  { from, end }: { from: number; end: number },
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ doc: number }>`
    select doc from search_docs where doc >= ${from} and doc < ${end} and tokens @@ ${match}
    order by doc desc limit ${limit}
  `.execute(db);
  return rows.map(({ doc }) => doc);
}

/** @returns undefined when the index gives too many rows, or takes too long */
async function findInIndex(
  db: Database,
  match: RawBuilder<unknown>,
  end: number,
  limit: number,
): Promise<number[] | undefined> {
  // `doc + 0` keeps the planner from reading the rows by their key. Without an order the limit ends the query early.
  const query = sql<{ doc: number | null; hits: number }>`
    with hit as materialized (
      select doc from search_docs
      where tokens @@ ${match} and doc + 0 < ${end} limit ${sortedRows + 1}
    )
    select found.doc, counted.hits from (select count(*) as hits from hit) as counted
    left join lateral (select doc from hit order by doc desc limit ${limit}) as found on true
  `;
  try {
    const rows = await byIndexOnly(db, query);
    return (rows[0]?.hits ?? 0) > sortedRows ? undefined : rows.flatMap(({ doc }) => doc ?? []);
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : undefined;
    if (cause instanceof Error && 'code' in cause && cause.code === queryCanceled) return undefined;
    throw error;
  }
}

export async function findChannels(db: Database, terms: Terms, limit: number): Promise<string[]> {
  const rows = await byIndexOnly(
    db,
    sql<{ channel_id: string }>`
      with found as materialized (
        select id, channel_id from search_channels where tokens @@ ${tsquery(terms)} limit ${sortedRows}
      )
      select found.channel_id from found
      join visible_channels on visible_channels.id = found.channel_id
      order by found.id desc limit ${limit}
    `,
  );
  return rows.map((row) => row.channel_id);
}

/**
 * Runs a query with scans of whole tables disabled, so that it uses the GIN index: the planner would
 * otherwise read the whole table for frequent words.
 */
function byIndexOnly<Row>(db: Database, query: RawBuilder<Row>): Promise<Row[]> {
  const settings =
    'set local enable_seqscan = off; set local jit = off; set local statement_timeout = 600';
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql.raw(settings).execute(trx);
      return (await query.execute(trx)).rows;
    });
}

function tsquery({ required, excluded }: Terms): RawBuilder<unknown> {
  const lexeme = (match: Match) => quoted(match, "'", ':*');
  const all = required.map((matches) => `(${matches.map(lexeme).join(' | ')})`);
  return sql`${[...all, ...excluded.map((token) => `!${lexeme(token)}`)].join(' & ')}::tsquery`;
}
