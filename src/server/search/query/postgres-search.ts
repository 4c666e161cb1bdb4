import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { channelsToken } from '../index/index-comment.ts';
import { type FoundDocs, type Match, quoted, type Terms } from './terms.ts';

/** SQLSTATE of a query that took longer than `statement_timeout`. */
const queryCanceled = '57014';
/** Newest rows, which are read by their key before the index is asked. */
const newestRows = 300;
/** Binary digits of the numbers of docs in a block of the index (migration 021). */
const blockBits = 14;
/** Blocks that the index is asked for before all that are left. */
const newestBlocks = 2;

/**
 * Finds the highest docs below `end` that match: among the newest rows, then in the index, a few blocks at first, since
 * it finds docs in no order and each one costs a read.
 */
export async function findOnPostgres(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
): Promise<FoundDocs> {
  const match = tsquery(terms);
  // Channels are few, and seldom among the newest docs.
  if (terms.required.some(([only]) => only === channelsToken)) {
    const docs = await unlessLate(db, (trx) => findInIndex(trx, match, sql``, end, limit));
    return { docs: docs ?? [], isLate: docs === undefined };
  }
  const { rows: newest } = await sql<{ doc: number; isHit: boolean | null }>`
    select doc, tokens @@ ${match} as "isHit" from search_docs where doc < ${end}
    order by doc desc limit ${newestRows}
  `.execute(db);
  const docs = newest.flatMap(({ doc, isHit }) => (isHit ? [doc] : [])).slice(0, limit);
  const last = newest.at(-1);
  if (docs.length === limit || !last || newest.length < newestRows) return { docs, isLate: false };
  const others = await unlessLate(db, async (trx) => {
    const wanted = limit - docs.length;
    const lowest = (last.doc >> blockBits) - newestBlocks + 1;
    const blocks = sql.join(Array.from({ length: newestBlocks }, (_, index) => lowest + index));
    const inBlocks = sql`and array[doc >> ${sql.lit(blockBits)}] && array[${blocks}]::int[]`;
    const found = await findInIndex(trx, match, inBlocks, last.doc, wanted);
    const below = Math.min(lowest << blockBits, last.doc);
    const rest = wanted - found.length;
    return rest > 0 ? found.concat(await findInIndex(trx, match, sql``, below, rest)) : found;
  });
  return { docs: docs.concat(others ?? []), isLate: others === undefined };
}

/** Which of these tokens occur in the index; none when it takes too long. */
export async function occurringOnPostgres(db: Database, tokens: string[]): Promise<string[]> {
  const given = tokens.map((token) => quoted(token, "'", ''));
  // One query for each token. For a join the planner might read the whole table.
  const query = sql<{ token: string | null }>`
    select (select token from search_docs where tokens @@ token::tsquery limit 1) as token
    from unnest(${given}::text[]) as given (token)
  `;
  const found = await unlessLate(db, async (trx) => (await query.execute(trx)).rows);
  return (found ?? []).flatMap(({ token }) => token?.slice(1, -1) ?? []);
}

async function findInIndex(
  db: Database,
  match: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
  end: number,
  limit: number,
): Promise<number[]> {
  // The planner must not read the rows by their key, in the order of the result.
  const { rows } = await sql<{ doc: number }>`
    with hit as materialized (
      select doc from search_docs where tokens @@ ${match} ${condition} and doc + 0 < ${end}
    )
    select doc from hit order by doc desc limit ${limit}
  `.execute(db);
  return rows.map(({ doc }) => doc);
}

/**
 * Runs queries with scans of whole tables disabled, so that they use an index: the planner would otherwise read the whole
 * table for frequent words.
 * @returns undefined when they take too long
 */
async function unlessLate<Found>(
  db: Database,
  find: (trx: Database) => Promise<Found>,
): Promise<Found | undefined> {
  const settings =
    'set local enable_seqscan = off; set local jit = off; set local statement_timeout = 600';
  try {
    return await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        await sql.raw(settings).execute(trx);
        return find(trx);
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
