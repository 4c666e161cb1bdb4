import type { Comment } from '../../../shared/comments.ts';
import type { SnippetPart } from '../../../shared/search.ts';
import { findWords, type Word } from '../index/words.ts';
import { findPhrase, matchesWord } from './matches.ts';
import type { Query } from './parse-query.ts';
import type { Match } from './terms.ts';

/** Longest snippet without its ellipses, in UTF-16 code units. */
const maxLength = 200;

/**
 * Returns the part of a text with most words of a query, cut at words, as alternating parts that are hits or
 * not. Words of a phrase are hits only where they follow each other. Names in mentions are no hits. Takes linear
 * time.
 */
export function findSnippet(
  { comment: text, mentions }: Pick<Comment, 'comment' | 'mentions'>,
  query: Query,
): SnippetPart[] {
  const words = findWords(withoutNames(text, mentions));
  const hits = findHits(words, query);
  const dense = densestOf(hits);
  const first = dense.at(0);
  const last = dense.at(-1);
  const from = first?.word.start ?? 0;
  const lead = Math.max(0, (maxLength - ((last?.word.end ?? maxLength) - from)) / 2);
  const earliest = Math.max(0, Math.min(Math.floor(from - lead), text.length - maxLength));
  const start = earliest === 0 ? 0 : (words.find((word) => word.start >= earliest)?.start ?? 0);
  const end = findEnd(text, words, start);

  const parts: SnippetPart[] = [];
  const add = (part: string, isHit: boolean) => {
    const before = parts.at(-1);
    const shown = part.replace(/\s+/g, ' ');
    if (before?.isHit === isHit) before.text += shown;
    else if (shown !== '') parts.push({ text: shown, isHit });
  };
  if (start > 0) add('…', false);
  let at = start;
  for (const { word } of hits) {
    if (word.start < start || word.start >= end) continue;
    add(text.slice(at, word.start), false);
    at = Math.min(word.end, end);
    add(text.slice(word.start, at), true);
  }
  add(text.slice(at, end), false);
  if (end < text.length) add('…', false);
  return parts;
}

/** The text with signs in place of the mentions, as long as they are. */
function withoutNames(text: string, mentions: Comment['mentions']): string {
  let searched = '';
  for (const { start, length } of mentions) {
    searched += text.slice(searched.length, start) + '@'.repeat(length);
  }
  return searched + text.slice(searched.length);
}

interface Hit {
  word: Word;
  /** The matching entry of the query. */
  entry: Match[];
}

function findHits(words: Word[], query: Query): Hit[] {
  const hits = new Map<Word, Hit>();
  const inPhrases = new Set(query.phrases.flat().map((entry) => JSON.stringify(entry)));
  const loose = query.required.filter((entry) => !inPhrases.has(JSON.stringify(entry)));
  for (const word of words) {
    const entry = loose.find((matches) => matchesWord(matches, word));
    if (entry) hits.set(word, { word, entry });
  }
  for (const phrase of query.phrases) {
    let i = findPhrase(phrase, words, 0);
    for (; i !== -1; i = findPhrase(phrase, words, i + phrase.length)) {
      for (const [k, word] of words.slice(i, i + phrase.length).entries()) {
        hits.set(word, { word, entry: phrase[k] ?? [] });
      }
    }
  }
  return [...hits.values()].sort((a, b) => a.word.start - b.word.start);
}

/** Finds the first hits within one snippet with most distinct words, then with most words. */
function densestOf(hits: Hit[]): Hit[] {
  const counts = new Map<Match[], number>();
  let best = { start: 0, end: 0, score: 0 };
  let start = 0;
  for (const [i, { word, entry }] of hits.entries()) {
    counts.set(entry, (counts.get(entry) ?? 0) + 1);
    for (let first = hits[start]; first && start < i; first = hits[start]) {
      if (word.end - first.word.start <= maxLength) break;
      const count = (counts.get(first.entry) ?? 0) - 1;
      if (count > 0) counts.set(first.entry, count);
      else counts.delete(first.entry);
      start += 1;
    }
    const score = counts.size * maxLength + (i + 1 - start);
    if (score > best.score) best = { start, end: i + 1, score };
  }
  return hits.slice(best.start, best.end);
}

/** Returns the end of a snippet from `start`: after a word, or after a grapheme of a very long one. */
function findEnd(text: string, words: Word[], start: number): number {
  const latest = start + maxLength;
  if (latest >= text.length) return text.length;
  const lastWord = words.findLast(({ end }) => end <= latest);
  if (lastWord && lastWord.end > start) return lastWord.end;
  let end = start;
  for (const { index, segment } of new Intl.Segmenter('es').segment(
    text.slice(start, latest + 1),
  )) {
    const next = start + index + segment.length;
    if (next > latest) break;
    end = next;
  }
  return end;
}
