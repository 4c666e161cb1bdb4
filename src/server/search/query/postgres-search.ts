import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { blockDocs, blockOf, blockToken } from '../index/comment-tokens.ts';
import {
  checkedToken,
  exactly,
  type FoundDocs,
  isLongPrefix,
  type Match,
  type Terms,
} from './terms.ts';

/** SQLSTATE of a query that took longer than `statement_timeout`. */
const queryCanceled = '57014';
/** Rows that are examined one by one before the index is used. */
const newestRows = 300;
/** Matches of the whole index that one query reads and sorts. */
const sortedRows = 10_000;

/**
 * Finds the highest docs below `end` that match: among the newest rows, then in the whole index, and block by block
 * where it has too many.
 * @param endMs time of `performance.now` at which it ends early
 */
export async function findDocs(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
  endMs: number,
): Promise<FoundDocs> {
  const newest = await findNewest(db, terms, end);
  const docs = newest.docs.slice(0, limit);
  let { rest } = newest;
  if (rest === 0 || docs.length === limit) return { docs, rest };
  const others = await unlessLate(() => findInIndex(db, terms, rest, limit - docs.length));
  if (others) return { docs: [...docs, ...others], rest: 0 };
  while (rest > 0 && docs.length < limit && performance.now() < endMs) {
    const block = blockOf(rest - 1);
    const ofBlock = { ...terms, required: [...terms.required, [exactly(blockToken(block))]] };
    const found = await unlessLate(() => findInBlock(db, ofBlock, rest, limit - docs.length));
    if (!found) break;
    docs.push(...found);
    rest = block * blockDocs;
  }
  return { docs, rest };
}

/** @returns `rest`: the docs from there up have been examined */
async function findNewest(
  db: Database,
  terms: Terms,
  end: number,
): Promise<{ docs: number[]; rest: number }> {
  const { rows } = await sql<{ docs: number[] | null; lowest: number | null; count: number }>`
    with newest as materialized (
      select doc, tokens from search_docs where doc < ${end} order by doc desc limit ${newestRows}
    )
    select min(doc) as lowest, count(*) as count,
      array_agg(doc order by doc desc) filter (where tokens @@ ${tsquery(terms)}) as docs
    from newest
  `.execute(db);
  const [{ docs, lowest, count } = { docs: null, lowest: null, count: 0 }] = rows;
  return { docs: docs ?? [], rest: count < newestRows ? 0 : (lowest ?? 0) };
}

/** @returns undefined when the index gives too many rows */
async function findInIndex(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
): Promise<number[] | undefined> {
  // `doc + 0` keeps the planner from reading the rows by their key. Without an order the limit ends the query early.
  const rows = await byIndexOnly(
    db,
    sql<{ doc: number | null; hits: number }>`
      with hit as materialized (
        select doc from search_docs
        where tokens @@ ${tsquery(terms)} and doc + 0 < ${end} limit ${sortedRows + 1}
      )
      select found.doc, counted.hits from (select count(*) as hits from hit) as counted
      left join lateral (select doc from hit order by doc desc limit ${limit}) as found on true
    `,
  );
  if ((rows[0]?.hits ?? 0) > sortedRows) return undefined;
  return rows.flatMap(({ doc }) => doc ?? []);
}

async function findInBlock(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
): Promise<number[]> {
  const rows = await byIndexOnly(
    db,
    sql<{ doc: number }>`
      select doc from search_docs where tokens @@ ${tsquery(terms)} and doc + 0 < ${end}
      order by doc + 0 desc limit ${limit}
    `,
  );
  return rows.map(({ doc }) => doc);
}

/** @returns undefined when PostgreSQL cancelled the query because it took too long */
async function unlessLate<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : undefined;
    if (cause instanceof Error && 'code' in cause && cause.code === queryCanceled) return undefined;
    throw error;
  }
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
