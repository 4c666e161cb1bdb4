import { sql } from 'kysely';
import type { CommentKey } from '../../shared/comment-id.ts';
import type { Database } from '../database/tables.ts';
import { type StoredText, searchedText } from '../texts/stored-text.ts';
import { indexOf } from './index-of.ts';
import { findWords } from './words.ts';

export interface IndexedComment {
  /** With the words of what it carries. */
  text: StoredText;
  authorId: string;
}

// Words never contain `_`. With two of them, tokens of a kind share one entry of SQLite's index of three-letter
// prefixes.

/** The token of all comments in a channel. Comments in other channels hardly ever have it. */
export function channelToken(channelId: string): string {
  return `__c${endOf(channelId)}`;
}

/** The token of all comments by an account. Comments by others hardly ever have it. */
export function authorToken(accountId: string): string {
  return `__a${endOf(accountId)}`;
}

/** The token of every channel's own doc, by which searches find or exclude channels. */
export const channelsToken = '__channel';

function endOf(id: string): string {
  return id.replace(/[^0-9a-z]/g, '').slice(-10);
}

/** The tokens of a comment: stems and roots of its words, its author and its channel. */
export function commentTokens(channelId: string, { text, authorId }: IndexedComment): string[] {
  const tokens = new Set<string>();
  for (const word of findWords(searchedText(text))) {
    for (const token of word.tokens) tokens.add(token);
  }
  return [...tokens.add(authorToken(authorId)).add(channelToken(channelId))];
}

/** Indexes the words of a new comment. Call it in the transaction that inserts the comment. */
export async function indexNewComment(
  trx: Database,
  key: CommentKey,
  comment: IndexedComment,
): Promise<void> {
  await indexOf(trx).addComment(trx, key, commentTokens(key.channelId, comment));
}

/**
 * Indexes the current words of a comment after it was edited. A comment without a doc is left to the running build,
 * which reads the row later.
 */
export async function indexComment(
  trx: Database,
  { channelId, number }: CommentKey,
  comment: IndexedComment,
): Promise<void> {
  const { rows } = await sql<{ doc: number }>`
    select doc from search_docs where channel = ${numberOf(channelId)} and number = ${number}
  `.execute(trx);
  const tokens = commentTokens(channelId, comment);
  await indexOf(trx).writeWords(
    trx,
    rows.map(({ doc }) => ({ doc, tokens })),
  );
}

/** Erases comments from the index, whether or not they are still stored. */
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
  await indexOf(trx).eraseWords(
    trx,
    rows.map(({ doc }) => doc),
  );
}

function numberOf(channelId: string) {
  return sql`(select id from search_channels where channel_id = ${channelId})`;
}
