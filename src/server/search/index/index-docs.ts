import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { StoredText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import { isVisibleRow } from '../../database/visible-rows.ts';
import { commentTokens } from './comment-tokens.ts';
import { type IndexRow, writeWords } from './index-rows.ts';

/** Characters analysed in one transaction, which takes some milliseconds. */
const maxChars = 40_000;

interface Row {
  doc: number;
  channelId: string;
  authorId: string;
  /** Null for a comment that is not visible. */
  text: StoredText | null;
}

/**
 * Indexes comments as they are stored now, visible or not. Locks their rows, so that each concurrent
 * change is either read here or indexed after the commit.
 * @returns how many of the first docs are done; the next one may be locked by another transaction
 */
export async function indexDocs(trx: Database, docs: number[]): Promise<number> {
  const found = await readComments(trx, docs);
  const rows: IndexRow[] = [];
  let chars = 0;
  for (const key of docs) {
    const row = found.get(key);
    if (!row || chars > maxChars) break;
    const { text, authorId, channelId } = row;
    chars += text?.length ?? 0;
    const tokens = text === null ? undefined : commentTokens(channelId, { text, authorId });
    rows.push({ key, tokens });
  }
  await writeWords(trx, 'search_docs', rows);
  return rows.length || deleteErased(trx, docs[0] ?? 0);
}

/** Comments by doc, without erased ones and those that another transaction has locked. */
async function readComments(trx: Database, docs: number[]): Promise<Map<number, Row>> {
  // PostgreSQL runs lateral subqueries once for each doc. With plain joins it might read whole channels.
  const [lateral, end] = isPostgres(trx)
    ? [
        sql`lateral`,
        sql`where channel_id = s.channel_id and number = d.number limit 1 for share skip locked`,
      ]
    : [sql``, sql``];
  const { rows } = await sql<Row>`
    select d.doc, s.channel_id as "channelId", c.account_id as "authorId", c.text
    from search_docs d
    join search_channels s on s.id = d.channel
    join ${lateral} (
      select channel_id, number, account_id, case when ${isVisibleRow} then text end as text
      from comments ${end}
    ) c on c.channel_id = s.channel_id and c.number = d.number
    where d.doc in (${sql.join(docs)})
  `.execute(trx);
  return new Map(rows.map((row) => [row.doc, row]));
}

/** Deletes a doc whose comment was erased after it got its number. @returns how many were deleted */
async function deleteErased(trx: Database, doc: number): Promise<number> {
  const { rows } = await sql`
    delete from search_docs where doc = ${doc} and not exists (
      select 1 from comments join search_channels on search_channels.channel_id = comments.channel_id
      where search_channels.id = search_docs.channel and comments.number = search_docs.number
    ) returning doc
  `.execute(trx);
  return rows.length;
}

/** The lowest or highest doc; 0 without any. */
export async function firstDoc(db: Database, order: 'asc' | 'desc'): Promise<number> {
  const query = db.selectFrom('search_docs').select('doc').orderBy('doc', order).limit(1);
  return (await query.executeTakeFirst())?.doc ?? 0;
}
