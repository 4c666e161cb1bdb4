import { tokensOf } from './words.ts';

/** A token, or every token that begins with it. */
export interface Match {
  token: string;
  isPrefix: boolean;
}

/** What is searched for. Tokens are those of `findWords`. */
export interface Query {
  /** Each entry must occur: any one of its matches. */
  required: Match[][];
  /** Tokens that must not occur. */
  excluded: string[];
  /** Entries that must follow each other directly; all of them are in `required` too. */
  phrases: Match[][][];
  /** Tokens that must not follow each other directly. */
  excludedPhrases: string[][];
}

/** @param isTyping whether the last word is only begun */
export function parseQuery(q: string, _isTyping: boolean): Query {
  return {
    required: tokensOf(q).map((token) => [{ token, isPrefix: false }]),
    excluded: [],
    phrases: [],
    excludedPhrases: [],
  };
}
