import { isWide, wideToken } from '../index/wide-words.ts';
import { findWords, type Word } from '../index/words.ts';
import type { Query } from './parse-query.ts';
import { exactly, type Match } from './terms.ts';

/** Whether a query requires or excludes an order of words, which the index does not store. */
export function hasPhrases({ phrases, excludedPhrases }: Query): boolean {
  return phrases.length + excludedPhrases.length > 0;
}

/** Whether a text matches a query. Takes linear time. */
export function matches(query: Query, text: string): boolean {
  const words = findWords(text);
  const tokens = new Set(words.map(({ token }) => token));
  return (
    query.required.every((entry) => words.some((word) => matchesWord(entry, word))) &&
    !query.excluded.some((token) => tokens.has(token)) &&
    isInOrder(query, text, words)
  );
}

/** Whether a text that has the words of a query has them in the order that it requires. Takes linear time. */
export function isInOrder(query: Query, text: string, words = findWords(text)): boolean {
  return (
    query.phrases.every((phrase) => findPhrase(phrase, words, 0) !== -1) &&
    !query.excludedPhrases.some(
      (phrase) =>
        findPhrase(
          phrase.map((token) => [exactly(token)]),
          words,
          0,
        ) !== -1,
    )
  );
}

/** Whether one of the matches of an entry is a token of this word or a prefix of it. */
export function matchesWord(entry: Match[], { token, form }: Word): boolean {
  return entry.some((match) =>
    match.isPrefix
      ? token.startsWith(match.token)
      : match.token === (isWide(match.token) ? wideToken(form) : token),
  );
}

/** Returns the index, at or after `from`, of the first word of the phrase; -1 if it does not occur. */
export function findPhrase(phrase: Match[][], words: Word[], from: number): number {
  for (let i = from; i + phrase.length <= words.length; i += 1) {
    const isHere = phrase.every((entry, k) => {
      const word = words[i + k];
      return word !== undefined && matchesWord(entry, word);
    });
    if (isHere) return i;
  }
  return -1;
}
