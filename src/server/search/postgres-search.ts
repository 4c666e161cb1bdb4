import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../database/errors.ts';
import type { Database } from '../database/tables.ts';
import type { FoundDocs } from './find-docs.ts';
import type { Match } from './parse-query.ts';
import { blockOf, blockSize, blockTokens } from './place-tokens.ts';
import { checkedToken, type DocRange, isLongPrefix, type Terms } from './terms.ts';

/** Rows that are looked at one by one before the index is asked. */
const newestRows = 300;

/**
 * The highest docs below `end` that match, among the highest of all.
 * @returns with `rest`: docs from there up were looked at
 */
export async function findNewest(
  db: Database,
  terms: Terms,
  end: number,
  limit: number,
): Promise<FoundDocs> {
  const { rows } = await sql<{ docs: number[] | null; lowest: number | null; count: number }>`
    with newest as materialized (
      select doc, tokens from search_docs where doc < ${end} order by doc desc limit ${newestRows}
    )
    select min(doc) as lowest, count(*) as count,
      array_agg(doc order by doc desc) filter (where tokens @@ ${tsquery(terms)}) as docs
    from newest
  `.execute(db);
  const { docs, lowest, count } = rows[0] ?? { docs: null, lowest: null, count: 0 };
  return { docs: docs?.slice(0, limit) ?? [], rest: count < newestRows ? 0 : lowest };
}

/**
 * The highest docs of a range that match, by the GIN index.
 * @returns undefined when there are more than those of one block, or it takes too long: a smaller
 *   range tells. @throws DatabaseUnavailable when one block takes too long
 */
export async function findDocsIn(
  db: Database,
  terms: Terms,
  { startBlock, end }: DocRange,
  limit: number,
): Promise<number[] | undefined> {
  const endBlock = blockOf(end - 1) + 1;
  const place = blockTokens(startBlock, endBlock).map((token) => ({ token, isPrefix: false }));
  const match = tsquery({ ...terms, required: [...terms.required, place] });
  // `doc + 0` keeps the planner from reading the rows by their key.
  const query = sql<{ doc: number; hits: number }>`
    with hit as materialized (
      select doc from search_docs where tokens @@ ${match} and doc + 0 < ${end}
      limit ${blockSize + 1}
    )
    select doc, (select count(*) from hit) as hits from hit order by doc desc limit ${limit}
  `;
  try {
    const rows = await byIndexOnly(db, query);
    return (rows[0]?.hits ?? 0) > blockSize ? undefined : rows.map(({ doc }) => doc);
  } catch (error) {
    if (tookTooLong(error) && endBlock - startBlock > 1) return undefined;
    throw error;
  }
}

export async function findChannels(db: Database, terms: Terms, limit: number): Promise<string[]> {
  const match = tsquery(terms);
  const visible = sql`
    join channels on channels.id = found.channel_id
    where found.tokens @@ ${match} and channels.hidden_at_ms is null
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
 * Runs a query so that it reads tables by the GIN index: the planner takes frequent words for a
 * reason to read the whole table.
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
