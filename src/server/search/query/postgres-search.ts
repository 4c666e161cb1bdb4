import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { type FoundDocs, type Match, quoted, type Terms } from './terms.ts';

/** SQLSTATE of a query that took longer than `statement_timeout`. */
const queryCanceled = '57014';
/** Newest rows, which are read by their key before the index is asked. */
const newestRows = 300;
/** Matches of the whole index that one query reads and sorts. */
const sortedRows = 10_000;

/**
 * Finds the highest docs below `end` that match: among the newest rows, then in the whole index, and row by row
 * where it has too many.
 */
export async function findOnPostgres(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
): Promise<FoundDocs> {
  const match = tsquery(terms);
  const newest = await sql<{ doc: number }>`
    select doc from (
      select doc, tokens from search_docs where doc < ${end} order by doc desc limit ${newestRows}
    ) as newest
    where tokens @@ ${match} order by doc desc limit ${limit}
  `.execute(db);
  const docs = newest.rows.map(({ doc }) => doc);
  if (docs.length === limit) return { docs, isLate: false };
  const others =
    (await findInIndex(db, match, end, limit)) ?? (await findByKey(db, match, end, limit));
  return { docs: others ?? docs, isLate: others === undefined };
}

/** @returns undefined when the index gives too many rows, or takes too long */
async function findInIndex(
  db: Database,
  match: RawBuilder<unknown>,
  end: number,
  limit: number,
): Promise<number[] | undefined> {
  // `doc + 0` keeps the planner from reading the rows by their key. Without an order the limit ends the query early.
  const rows = await unlessLate<{ doc: number; hits: number }>(
    db,
    sql`
      with hit as materialized (
        select doc from search_docs
        where tokens @@ ${match} and doc + 0 < ${end} limit ${sortedRows + 1}
      )
      select doc, (select count(*) from hit) as hits from hit order by doc desc limit ${limit}
    `,
  );
  return (rows?.[0]?.hits ?? 0) > sortedRows ? undefined : rows?.map(({ doc }) => doc);
}

/** @returns undefined when it takes too long */
async function findByKey(
  db: Database,
  match: RawBuilder<unknown>,
  end: number,
  limit: number,
): Promise<number[] | undefined> {
  const query = sql<{ doc: number }>`
    select doc from search_docs where doc < ${end} and tokens @@ ${match}
    order by doc desc limit ${limit}
  `;
  return (await unlessLate(db, query))?.map(({ doc }) => doc);
}

/**
 * Runs a query with scans of whole tables disabled, so that it uses an index: the planner would otherwise read the
 * whole table for frequent words.
 * @returns undefined when it takes too long
 */
async function unlessLate<Row>(db: Database, query: RawBuilder<Row>): Promise<Row[] | undefined> {
  const settings =
    'set local enable_seqscan = off; set local jit = off; set local statement_timeout = 600';
  try {
    return await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        await sql.raw(settings).execute(trx);
        return (await query.execute(trx)).rows;
      });
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : undefined;
    if (cause instanceof Error && 'code' in cause && cause.code === queryCanceled) return undefined;
    throw error;
  }
}

function tsquery({ required, excluded, except = [] }: Terms): RawBuilder<unknown> {
  const lexeme = (match: Match) => quoted(match, "'", ':*');
  const allOf = (entries: Match[][]) =>
    entries.map((matches) => `(${matches.map(lexeme).join(' | ')})`).join(' & ');
  const not = excluded.map((token) => ` & !${lexeme(token)}`);
  if (except.length > 0) not.push(` & !(${allOf(except)})`);
  return sql`${allOf(required) + not.join('')}::tsquery`;
}
