import { findWords, type Word } from '../index/words.ts';
import type { Match, Query } from './parse-query.ts';

/** Whether a query requires or excludes an order of words, which the index does not store. */
export function hasPhrases({ phrases, excludedPhrases }: Query): boolean {
  return phrases.length + excludedPhrases.length > 0;
}

/** Whether a text matches a query. Takes linear time. */
export function matches(query: Query, text: string): boolean {
  const words = findWords(text);
  const tokens = new Set(words.map(({ token }) => token));
  return (
    query.required.every((entry) => words.some(({ token }) => matchesToken(entry, token))) &&
    query.phrases.every((phrase) => findPhrase(phrase, words, 0) !== -1) &&
    !query.excluded.some((token) => tokens.has(token)) &&
    !query.excludedPhrases.some((phrase) => findPhrase(phrase.map(exactly), words, 0) !== -1)
  );
}

/** Whether one of the matches of an entry is this token or a prefix of it. */
export function matchesToken(entry: Match[], token: string): boolean {
  return entry.some((match) =>
    match.isPrefix ? token.startsWith(match.token) : token === match.token,
  );
}

/** Returns the index, at or after `from`, of the first word of the phrase; -1 if it does not occur. */
export function findPhrase(phrase: Match[][], words: Word[], from: number): number {
  for (let i = from; i + phrase.length <= words.length; i += 1) {
    if (phrase.every((entry, k) => matchesToken(entry, words[i + k]?.token ?? ''))) return i;
  }
  return -1;
}

function exactly(token: string): Match[] {
  return [{ token, isPrefix: false }];
}
