import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import { type StoredText, searchedText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import { isVisibleRow } from '../../database/visible-rows.ts';
import type { DocKey } from './comments-without-doc.ts';
import { partitionTokens } from './partition-tokens.ts';
import { docTokens, joinTokens } from './postgres-index.ts';
import { replaceFtsRows } from './sqlite-index.ts';
import { tokensOf } from './words.ts';

/** A comment with its number in the index. Newer comments have higher numbers. */
export interface Doc extends DocKey {
  doc: number;
}

/** Characters analysed in one transaction, which takes a few milliseconds. */
const maxChars = 20_000;

/**
 * Indexes comments as they are stored now, visible or not. Locks their rows, so that each concurrent
 * change is either read here or indexed after the commit.
 * @param docs in ascending order: FTS5 writes to disk at each row that is lower than the one before
 * @returns how many of the first docs are done; the next one may be locked by another transaction
 */
export async function indexDocs(trx: Database, docs: Doc[]): Promise<number> {
  const found = await readComments(trx, docs);
  const rows: (Doc & { tokens: string[] | undefined })[] = [];
  let chars = 0;
  let done = 0;
  for (const doc of docs) {
    const comment = found.get(keyOf(doc));
    if (comment === 'locked' || chars > maxChars) break;
    done++;
    if (!comment) continue;
    chars += comment.text?.length ?? 0;
    const tokens = comment.text === undefined ? undefined : tokensOf(searchedText(comment.text));
    rows.push({ ...doc, tokens });
  }
  if (rows.length > 0) await writeDocs(trx, rows);
  return done;
}

const keyOf = ({ channel, number }: DocKey) => `${channel} ${number}`;

/** Comments by `keyOf`. Hidden and deleted ones have no text; erased ones are missing. */
async function readComments(
  trx: Database,
  keys: DocKey[],
): Promise<Map<string, { text: StoredText | undefined } | 'locked'>> {
  const found = new Map<string, { text: StoredText | undefined } | 'locked'>();
  for (const isLocking of [true, false]) {
    const missing = keys.filter((key) => !found.has(keyOf(key)));
    if (missing.length === 0) return found;
    const { rows } = await sql<DocKey & { text: StoredText | null }>`
      select p.channel, p.number, c.text
      from ${isPostgres(trx) ? fromPostgres(missing, isLocking) : fromSqlite(missing)}
    `.execute(trx);
    for (const row of rows) {
      found.set(keyOf(row), isLocking ? { text: row.text ?? undefined } : 'locked');
    }
  }
  return found;
}

/** The text of a visible comment, null for others. */
const visibleText = sql`case when ${isVisibleRow} then text end as text`;

/** Keys as `p` and their comments as `c`. `isLocking` skips those that another transaction has locked. */
function fromPostgres(keys: DocKey[], isLocking: boolean) {
  // Lateral subqueries run once for each key. With plain joins the planner might read whole channels.
  return sql`(
      select (value->>0)::int as channel, (value->>1)::int as number
      from json_array_elements(${jsonOf(keys)}::json)
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

function fromSqlite(keys: DocKey[]) {
  return sql`(select value->>0 as channel, value->>1 as number from json_each(${jsonOf(keys)})) p
    join search_channels s on s.id = p.channel
    join (select channel_id, number, ${visibleText} from comments) c
      on c.channel_id = s.channel_id and c.number = p.number`;
}

function jsonOf(keys: DocKey[]): string {
  return JSON.stringify(keys.map(({ channel, number }) => [channel, number]));
}

async function writeDocs(
  trx: Database,
  rows: (Doc & { tokens: string[] | undefined })[],
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
      tokens: tokens && [...tokens, ...partitionTokens(channel, doc)],
    })),
  );
}
