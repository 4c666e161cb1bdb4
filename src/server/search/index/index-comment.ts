import { sql } from 'kysely';
import { isPostgres } from '../../database/is-postgres.ts';
import type { Database } from '../../database/tables.ts';
import { commentTokens, type IndexedComment } from './comment-tokens.ts';
import { internChannel } from './index-channel.ts';
import { tsvector, writeWords } from './index-rows.ts';

interface CommentKey {
  channelId: string;
  number: number;
}

/** Indexes the words of a new comment. Call it in the transaction that inserts the comment. */
export async function indexNewComment(
  trx: Database,
  key: CommentKey,
  comment: IndexedComment,
): Promise<void> {
  const tokens = commentTokens(key.channelId, comment);
  if (await insertDoc(trx, key, tokens)) return;
  await internChannel(trx, key.channelId);
  await insertDoc(trx, key, tokens);
}

/**
 * Indexes the current words of a comment after its row was changed, or none when it must not be found: it keeps its doc,
 * and so its order if it is restored. A comment without a doc is left to the running build, which reads the row later.
 */
export async function indexComment(
  trx: Database,
  { channelId, number }: CommentKey,
  comment: IndexedComment | undefined,
): Promise<void> {
  const { rows } = await sql<{ key: number }>`
    select doc as key from search_docs
    where channel = ${numberOf(channelId)} and number = ${number}
  `.execute(trx);
  const tokens = comment && commentTokens(channelId, comment);
  const changed = rows.map(({ key }) => ({ key, tokens }));
  await writeWords(trx, 'search_docs', changed);
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
    delete from search_docs where channel = ${numberOf(channelId)} and ${isNamed} returning doc
  `.execute(trx);
  const erased = rows.map(({ doc }) => ({ key: doc, tokens: undefined }));
  if (!isPostgres(trx)) await writeWords(trx, 'search_docs', erased);
}

/** @returns false when the channel has no number in the index */
async function insertDoc(
  trx: Database,
  { channelId, number }: CommentKey,
  tokens: string[],
): Promise<boolean> {
  const [column, value] = isPostgres(trx)
    ? [sql`, tokens`, sql`, ${tsvector(tokens)}`]
    : [sql``, sql``];
  const { rows } = await sql<{ doc: number }>`
    insert into search_docs (channel, number ${column})
    select id, ${number} ${value} from search_channels where channel_id = ${channelId}
    returning doc
  `.execute(trx);
  const inserted = rows.map(({ doc }) => ({ key: doc, tokens, isNew: true }));
  if (!isPostgres(trx)) await writeWords(trx, 'search_docs', inserted);
  return rows.length > 0;
}

function numberOf(channelId: string) {
  return sql`(select id from search_channels where channel_id = ${channelId})`;
}
