import { type StoredText, searchedText } from '../../database/stored-text.ts';
import { wideToken } from './wide-words.ts';
import { findWords } from './words.ts';

// Words never contain `_`. Two of them keep these tokens out of each other's way in SQLite's index of prefixes.

/** Comments in one block of the index. Searches read the index block by block, the newest first. */
export const blockDocs = 65_536;

/** The token that all comments of a channel have. @param channel `search_channels.id` */
export function channelToken(channel: number): string {
  return `__c${channel}`;
}

/** The token that comments of an account have. Others hardly ever have the same; what is found is compared. */
export function authorToken(accountId: string): string {
  return `__a${accountId.replace(/[^0-9a-z]/g, '').slice(-10)}`;
}

export function blockOf(doc: number): number {
  return Math.floor(doc / blockDocs);
}

export function blockToken(block: number): string {
  return `__b${block}`;
}

/** Tokens for the channel of a comment and for its block. */
export function partitionTokens(channel: number, doc: number): string[] {
  return [channelToken(channel), blockToken(blockOf(doc))];
}

/** The other tokens of a comment: its words, exactly and in a wider sense, and its author. */
export function commentTokens(text: StoredText, accountId: string): string[] {
  const tokens = new Set<string>();
  for (const { token, form } of findWords(searchedText(text))) {
    tokens.add(token);
    const wide = wideToken(form);
    if (wide !== undefined) tokens.add(wide);
  }
  return [...tokens, authorToken(accountId)];
}
