import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { StoredText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import { commentTokens, partitionTokens } from './comment-tokens.ts';
import { internChannel } from './index-channel.ts';
import { docTokens, joinTokens } from './postgres-index.ts';
import { insertFtsRow, replaceFtsRows } from './sqlite-index.ts';

interface CommentKey {
  channelId: string;
  number: number;
}

interface IndexedComment {
  text: StoredText;
  authorId: string;
}

/** Indexes the words of a new comment. Call it in the transaction that inserts the comment. */
export async function indexNewComment(
  trx: Database,
  key: CommentKey,
  { text, authorId }: IndexedComment,
): Promise<void> {
  const tokens = commentTokens(text, authorId);
  if (await insertDoc(trx, key, tokens)) return;
  await internChannel(trx, key.channelId);
  await insertDoc(trx, key, tokens);
}

/**
 * Indexes the current words of a comment after its row was changed. A comment without a doc is left to
 * the running build (build-index.ts), which reads the row later.
 */
export function indexComment(
  trx: Database,
  key: CommentKey,
  { text, authorId }: IndexedComment,
): Promise<void> {
  return setTokens(trx, key, commentTokens(text, authorId));
}

/** Removes a comment's words from the index. It keeps its doc, and so its order if it is restored. */
export function unindexComment(trx: Database, key: CommentKey): Promise<void> {
  return setTokens(trx, key, undefined);
}

/** Erases comments from the index. */
export async function eraseIndexedComments(
  trx: Database,
  channelId: string,
  numbers: number[] | { from: number; to: number },
): Promise<void> {
  const isNamed = Array.isArray(numbers)
    ? sql`number in (${sql.join(numbers)})`
    : sql`number >= ${numbers.from} and number <= ${numbers.to}`;
  const { rows } = await sql<{ doc: number }>`
    delete from search_docs
    where channel = (select id from search_channels where channel_id = ${channelId})
      and ${isNamed}
    returning doc
  `.execute(trx);
  if (isPostgres(trx) || rows.length === 0) return;
  const deleted = rows.map(({ doc }) => ({ rowid: doc, tokens: undefined }));
  await replaceFtsRows(trx, 'search_docs_fts', deleted);
}

/** @returns false when the channel has no number in the index */
async function insertDoc(
  trx: Database,
  { channelId, number }: CommentKey,
  tokens: string[],
): Promise<boolean> {
  if (isPostgres(trx)) {
    const { numAffectedRows = 0n } = await sql`
      insert into search_docs (doc, channel, number, tokens)
      select doc, channel, ${number}, ${docTokens(sql`${joinTokens(tokens)}`)}
      from (
        select id as channel, id, nextval(pg_get_serial_sequence('search_docs', 'doc'))::int as doc
        from search_channels where channel_id = ${channelId}
      ) as found
    `.execute(trx);
    return numAffectedRows > 0n;
  }
  const { rows } = await sql<DocRow>`
    insert into search_docs (channel, number)
    select id, ${number} from search_channels where channel_id = ${channelId}
    returning doc, channel
  `.execute(trx);
  const [row] = rows;
  if (!row) return false;
  const { doc, channel } = row;
  await insertFtsRow(trx, 'search_docs_fts', {
    rowid: doc,
    tokens: [...tokens, ...partitionTokens(channel, doc)],
  });
  return true;
}

interface DocRow {
  doc: number;
  channel: number;
}

/** @param tokens undefined for a comment that must not be found */
async function setTokens(
  trx: Database,
  { channelId, number }: CommentKey,
  tokens: string[] | undefined,
): Promise<void> {
  const ofComment = sql`
    channel = (select id from search_channels where channel_id = ${channelId})
    and number = ${number}
  `;
  if (isPostgres(trx)) {
    await sql`
      update search_docs set tokens = ${docTokens(sql`${joinTokens(tokens)}`)} where ${ofComment}
    `.execute(trx);
    return;
  }
  const { rows } = await sql<DocRow>`
    select doc, channel from search_docs where ${ofComment}
  `.execute(trx);
  const [row] = rows;
  if (!row) return;
  const ofDoc = tokens && [...tokens, ...partitionTokens(row.channel, row.doc)];
  await replaceFtsRows(trx, 'search_docs_fts', [{ rowid: row.doc, tokens: ofDoc }]);
}
