import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import { type StoredText, searchedText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import { isVisibleRow } from '../../database/visible-rows.ts';
import { placeTokens } from './place-tokens.ts';
import { docTokens, joinTokens } from './postgres-index.ts';
import { replaceFtsRows } from './sqlite-index.ts';
import type { IndexPlace } from './unplaced-comments.ts';
import { tokensOf } from './words.ts';

/** A comment by its place in the order and by the number of its channel in the index. */
export interface DocPlace extends IndexPlace {
  doc: number;
}

/** Characters analysed in one step: some milliseconds. */
const maxChars = 20_000;

/**
 * Indexes comments as they are now, visible or not, and locks their rows, so that later changes wait
 * and earlier ones are read.
 * @param places in ascending order: FTS5 writes to disk at each row that is lower than the one before
 * @returns how many of the first places are done; the next one may be locked by another transaction
 */
export async function indexDocs(trx: Database, places: DocPlace[]): Promise<number> {
  const found = await readComments(trx, places);
  const rows: (DocPlace & { tokens: string[] | undefined })[] = [];
  let chars = 0;
  let done = 0;
  for (const place of places) {
    const comment = found.get(keyOf(place));
    if (comment === 'locked' || chars > maxChars) break;
    done++;
    if (!comment) continue;
    chars += comment.text?.length ?? 0;
    const tokens = comment.text === undefined ? undefined : tokensOf(searchedText(comment.text));
    rows.push({ ...place, tokens });
  }
  if (rows.length > 0) await writeDocs(trx, rows);
  return done;
}

const keyOf = ({ channel, number }: IndexPlace) => `${channel} ${number}`;

/** Comments by key: without text when they are hidden or deleted; erased ones are missing. */
async function readComments(
  trx: Database,
  places: DocPlace[],
): Promise<Map<string, { text: StoredText | undefined } | 'locked'>> {
  const found = new Map<string, { text: StoredText | undefined } | 'locked'>();
  for (const isLocking of [true, false]) {
    const missing = places.filter((place) => !found.has(keyOf(place)));
    if (missing.length === 0) return found;
    const { rows } = await sql<IndexPlace & { text: StoredText | null }>`
      select p.channel, p.number, c.text
      from ${isPostgres(trx) ? fromPostgres(missing, isLocking) : fromSqlite(missing)}
    `.execute(trx);
    for (const row of rows) {
      found.set(keyOf(row), isLocking ? { text: row.text ?? undefined } : 'locked');
    }
  }
  return found;
}

/** The text of a comment that is neither deleted nor hidden. */
const visibleText = sql`case when ${isVisibleRow} then text end as text`;

/** Places as `p` and their comments as `c`, of those that no other transaction has locked. */
function fromPostgres(places: IndexPlace[], isLocking: boolean) {
  // Each subquery is run for each place: the planner might read whole channels otherwise.
  return sql`(
      select (value->>0)::int as channel, (value->>1)::int as number
      from json_array_elements(${jsonOf(places)}::json)
    ) p
    cross join lateral (
      select channel_id from search_channels where id = p.channel limit 1
    ) s
    cross join lateral (
      select ${visibleText} from comments
      where channel_id = s.channel_id and number = p.number
      limit 1 ${isLocking ? sql`for share skip locked` : sql``}
    ) c`;
}

function fromSqlite(places: IndexPlace[]) {
  return sql`(select value->>0 as channel, value->>1 as number from json_each(${jsonOf(places)})) p
    join search_channels s on s.id = p.channel
    join (select channel_id, number, ${visibleText} from comments) c
      on c.channel_id = s.channel_id and c.number = p.number`;
}

function jsonOf(places: IndexPlace[]): string {
  return JSON.stringify(places.map(({ channel, number }) => [channel, number]));
}

async function writeDocs(
  trx: Database,
  rows: (DocPlace & { tokens: string[] | undefined })[],
): Promise<void> {
  if (isPostgres(trx)) {
    const column = (values: unknown[]) => sql`${values}`;
    await sql`
      insert into search_docs (doc, channel, number, tokens)
      select doc, channel, number, ${docTokens(sql`words`)}
      from unnest(
        ${column(rows.map(({ doc }) => doc))}::int[],
        ${column(rows.map(({ channel }) => channel))}::int[],
        ${column(rows.map(({ number }) => number))}::int[],
        ${column(rows.map(({ tokens }) => joinTokens(tokens)))}::text[]
      ) as row (doc, channel, number, words)
      on conflict (doc) do update set tokens = excluded.tokens
      where (search_docs.channel, search_docs.number) = (excluded.channel, excluded.number)
        and search_docs.tokens is distinct from excluded.tokens
    `.execute(trx);
    return;
  }
  const json = JSON.stringify(rows.map(({ doc, channel, number }) => [doc, channel, number]));
  await sql`
    insert into search_docs (doc, channel, number)
    select value->>0, value->>1, value->>2 from json_each(${json}) where true
    on conflict do nothing
  `.execute(trx);
  await replaceFtsRows(
    trx,
    'search_docs_fts',
    rows.map(({ doc, channel, tokens }) => ({
      rowid: doc,
      tokens: tokens && [...tokens, ...placeTokens(channel, doc)],
    })),
  );
}
