import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { StoredText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import { isVisibleRow } from '../../database/visible-rows.ts';
import { commentTokens, partitionTokens } from './comment-tokens.ts';
import { docTokens, joinTokens } from './postgres-index.ts';
import { replaceFtsRows } from './sqlite-index.ts';
import type { DocKey } from './unnumbered-comments.ts';

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
    if (!comment) {
      // It was erased after it got its number.
      await trx.deleteFrom('search_docs').where('doc', '=', doc.doc).execute();
      continue;
    }
    chars += comment.text?.length ?? 0;
    const { text, authorId } = comment;
    const tokens = text === undefined ? undefined : commentTokens(text, authorId);
    rows.push({ ...doc, tokens });
  }
  if (rows.length > 0) await writeDocs(trx, rows);
  return done;
}

const keyOf = ({ channel, number }: DocKey) => `${channel} ${number}`;

interface FoundComment {
  text: StoredText | undefined;
  authorId: string;
}

/** Comments by `keyOf`. Hidden and deleted ones have no text; erased ones are missing. */
async function readComments(
  trx: Database,
  keys: DocKey[],
): Promise<Map<string, FoundComment | 'locked'>> {
  const found = new Map<string, FoundComment | 'locked'>();
  for (const isLocking of [true, false]) {
    const missing = keys.filter((key) => !found.has(keyOf(key)));
    if (missing.length === 0) return found;
    const { rows } = await sql<DocKey & { text: StoredText | null; authorId: string }>`
      select p.channel, p.number, c.text, c.account_id as "authorId"
      from ${isPostgres(trx) ? fromPostgres(missing, isLocking) : fromSqlite(missing)}
    `.execute(trx);
    for (const row of rows) {
      const { text, authorId } = row;
      found.set(keyOf(row), isLocking ? { text: text ?? undefined, authorId } : 'locked');
    }
  }
  return found;
}

/** The author, and the text of a visible comment, null for others. */
const visibleText = sql`account_id, case when ${isVisibleRow} then text end as text`;

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
      update search_docs set tokens = ${docTokens(sql`given.words`)}
      from unnest(
        ${column(rows.map(({ doc }) => doc))}::int[],
        ${column(rows.map(({ tokens }) => joinTokens(tokens)))}::text[]
      ) as given (id, words)
      where doc = given.id and tokens is distinct from ${docTokens(sql`given.words`)}
    `.execute(trx);
    return;
  }
  const fts = rows.map(({ doc, channel, tokens }) => ({
    rowid: doc,
    tokens: tokens && [...tokens, ...partitionTokens(channel, doc)],
  }));
  await replaceFtsRows(trx, 'search_docs_fts', fts);
}
