import { type RawBuilder, sql } from 'kysely';
import { DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { channelsToken } from '../../search-index/index-comment.ts';
import {
  type DocPage,
  joinEntries,
  type Match,
  prefixOf,
  quoted,
  type SearchQueries,
  type Terms,
} from './terms.ts';

/** Number of newest rows, which are read by primary key instead of the index of words. */
const newestRows = 300;
/** A block of the index has the docs that differ only in this many low bits (001-baseline.ts). */
const blockBits = 14;
/** Words of at least this many letters tend to be rare. */
const rareLetters = 5;

/** A search is cancelled after this many milliseconds. */
const lateMs = 600;
/** SQLSTATE of a query that took longer than `statement_timeout`. */
const queryCanceled = '57014';

/** Searches with a GIN index of the words of each row. */
export const postgresSearch: SearchQueries = {
  findDocs,
  occurring,
  // Lateral subqueries run once for each doc. With plain joins PostgreSQL might read whole channels.
  commentOfDoc: sql`lateral (
    select channel_id, number, account_id, text, carried_text, deleted_at_ms, hidden_by
    from comments
    where channel_id = s.channel_id and number = d.number limit 1
  )`,
  inTime: async (db, find, isFirst) => {
    const inTransaction = (settings: string, onlyNewest: boolean) =>
      db
        .transaction()
        .setAccessMode('read only')
        .execute(async (trx) => {
          await sql.raw(settings).execute(trx);
          return find(trx, onlyNewest);
        });
    // The planner would read whole tables for frequent words.
    const onIndexes = 'set local enable_seqscan = off; set local jit = off';
    try {
      return await inTransaction(`${onIndexes}; set local statement_timeout = ${lateMs}`, false);
    } catch (error) {
      const cause = error instanceof DatabaseUnavailable ? error.cause : undefined;
      const isLate = cause instanceof Error && 'code' in cause && cause.code === queryCanceled;
      if (!isLate || !isFirst) throw error;
      return { ...(await inTransaction(onIndexes, true)), isComplete: false };
    }
  },
};

/**
 * Finds the highest matching docs below `end`: among the newest rows, then in two blocks of the index, then in all of
 * it, because the index returns docs in no order and each costs a read. Sequential scans must be disabled.
 */
async function findDocs(
  db: Database,
  terms: Terms,
  { onlyNewest, ...page }: DocPage,
): Promise<number[]> {
  const match = isMatch(terms);
  // Channels are few, and seldom among the newest docs.
  const isForChannels = terms.within?.some(([only]) => only === channelsToken);
  const { rows } = await (isForChannels
    ? findInIndex(match, page)
    : onlyNewest
      ? findNewest(match, page)
      : findInParts(match, page)
  ).execute(db);
  return rows.map(({ doc }) => doc);
}

type Page = Omit<DocPage, 'onlyNewest'>;

/** Keeps the planner from reading rows by primary key in the order of the result, except the newest ones. */
function findInParts(match: RawBuilder<boolean>, { end, limit }: Page) {
  const bits = sql.lit(blockBits);
  return sql<{ doc: number }>`
    with newest as materialized (
      select doc, ${match} as is_hit from search_docs where doc < ${end}
      order by doc desc limit ${newestRows}
    ), bounds as materialized (
      select min(doc) as doc, min(doc) >> ${bits} as block,
        count(*) = ${newestRows} and count(*) filter (where is_hit) < ${limit} as are_few
      from newest
    ), recent as materialized (
      select doc from search_docs
      where array[doc >> ${bits}] && (select array[block - 1, block] from bounds)
        and ${match} and doc + 0 < (select doc from bounds) and (select are_few from bounds)
    ), older as materialized (
      select doc from search_docs
      where ${match} and doc + 0 < (select (block - 1) << ${bits} from bounds)
        and (select are_few and (select count(*) from newest where is_hit)
          + (select count(*) from recent) < ${limit} from bounds)
    )
    select doc from newest where is_hit union all select doc from recent
    union all select doc from older order by doc desc limit ${limit}
  `;
}

function findNewest(match: RawBuilder<boolean>, { end, limit }: Page) {
  return sql<{ doc: number }>`
    select doc from (
      select doc, tokens from search_docs where doc < ${end} order by doc desc limit ${newestRows}
    ) as newest
    where ${match} order by doc desc limit ${limit}
  `;
}

function findInIndex(match: RawBuilder<boolean>, { end, limit }: Page) {
  return sql<{ doc: number }>`
    with hit as materialized (
      select doc from search_docs where ${match} and doc + 0 < ${end}
    )
    select doc from hit order by doc desc limit ${limit}
  `;
}

/** Which of these tokens occur in the index. Sequential scans must be disabled. */
async function occurring(db: Database, tokens: string[]): Promise<string[]> {
  const given = tokens.map((token) => quoted(token, "'", ''));
  // One query for each token. For a join the planner might read the whole table.
  const { rows } = await sql<{ token: string | null }>`
    select (select token from search_docs where tokens @@ token::tsquery limit 1) as token
    from unnest(${given}::text[]) as given (token)
  `.execute(db);
  return rows.flatMap(({ token }) => token?.slice(1, -1) ?? []);
}

/**
 * One condition per word: the index looks up each word only in docs that have the words before it. The longest words
 * come first, because they tend to be rare. If there is one, prefixes are checked in the rows it finds, because the
 * index would collect all docs of all words with the prefix.
 */
function isMatch({
  required,
  missing = 0,
  within = [],
  excluded,
  except,
}: Terms): RawBuilder<boolean> {
  const lexeme = (match: Match) => quoted(match, "'", ':*');
  const anyOf = (matches: Match[]) => `(${matches.map(lexeme).join(' | ')})`;
  const shortest = (matches: Match[]) => Math.min(...matches.map(({ length }) => length));
  const isPrefix = (matches: Match[]) => matches.some((match) => prefixOf(match) !== undefined);
  const isRare = ([match = '']: Match[]) => match.length >= rareLetters && /^[^_]*$/.test(match);
  const join = (entries: Match[][], less = 0) =>
    joinEntries(entries.map(anyOf), less, ' & ', ' | ');
  const each = missing > 0 ? within : [...within, ...required];
  const prefixes = each.filter(isPrefix);
  const words = each.filter((matches) => !isPrefix(matches));
  const checked = words.some(isRare) ? prefixes : [];
  const found = each.filter((matches) => !checked.includes(matches));
  const queries = found.toSorted((one, other) => shortest(other) - shortest(one)).map(anyOf);
  if (missing > 0) queries.push(join(required, missing));
  const not = excluded.map((token) => ` & !${lexeme(token)}`);
  if (except) not.push(` & !${join(except)}`);
  const last = queries.pop() + not.join('');
  const conditions = [...queries, last].map((query) => sql`tokens @@ ${query}::tsquery`);
  // Written this way, the condition keeps the planner from using an index.
  conditions.push(...checked.map((matches) => sql`(tokens @@ ${anyOf(matches)}::tsquery) is true`));
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}
