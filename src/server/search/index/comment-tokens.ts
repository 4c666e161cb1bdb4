import { type StoredText, searchedText } from '../../database/stored-text.ts';
import { wideTokens } from './wide-words.ts';
import { findWords } from './words.ts';

// Words never contain `_`. Two of them keep these tokens out of each other's way in SQLite's index of prefixes.

/** The token that all comments of a channel have. Those of others hardly ever have it. */
export function channelToken(channelId: string): string {
  return `__c${endOf(channelId)}`;
}

/** The token that all comments of an account have. Those of others hardly ever have it. */
export function authorToken(accountId: string): string {
  return `__a${endOf(accountId)}`;
}

function endOf(id: string): string {
  return id.replace(/[^0-9a-z]/g, '').slice(-10);
}

export interface IndexedComment {
  text: StoredText;
  authorId: string;
}

/** The tokens of a comment: its words, exactly and in a wider sense, its author and its channel. */
export function commentTokens(channelId: string, { text, authorId }: IndexedComment): string[] {
  const words = findWords(searchedText(text));
  const wide = words.flatMap(({ form, written }) => wideTokens(form, written));
  const exact = words.map(({ token }) => token);
  return [...new Set([...exact, ...wide, authorToken(authorId), channelToken(channelId)])];
}
