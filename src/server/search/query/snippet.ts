import type { Comment } from '../../../shared/comments.ts';
import { ownWordsStart, withoutMarks } from '../../../shared/own-words.ts';
import type { SnippetPart } from '../../../shared/search.ts';
import { findWords, type Word } from '../../search-index/words.ts';
import type { Query } from './parse-query.ts';
import { findPhrase, type Match } from './terms.ts';

/** Longest snippet without its ellipses, in UTF-16 code units. */
const maxLength = 200;
/** Longest part of a text in which hits are marked. A millisecond suffices for 2,000 to 20,000 UTF-16 code units. */
const maxRead = 5000;

/**
 * Returns the part of a text with the most words of a query, cut at words, as alternating parts that are hits or not.
 * It begins after a quote at the start of the comment, unless all hits are there. Words of a phrase are hits only
 * where they follow each other. Names in mentions and words late in a long text are not hits. Takes linear time.
 */
export function findSnippet(
  { comment, mentions }: Pick<Comment, 'comment' | 'mentions'>,
  query: Query,
): SnippetPart[] {
  const words = findWords(withoutNames(comment, mentions).slice(0, maxRead));
  const hits = findHits(words, query);
  const own = ownWordsStart(comment);
  const ownHits = hits.filter(([word]) => word.start >= own);
  const isOwn = ownHits.length > 0 || hits.length === 0;
  const text = withoutMarks(comment);
  const first = text.length - text.slice(isOwn ? own : 0).trimStart().length;
  const { from, to } = densestOf(isOwn ? ownHits : hits, first);
  const lead = Math.max(0, (maxLength - (to - from)) / 2);
  const earliest = Math.max(first, Math.min(Math.floor(from - lead), text.length - maxLength));
  const start =
    earliest === first ? first : (words.find((word) => word.start >= earliest)?.start ?? first);
  const end = findEnd(text, words, start);

  const parts: SnippetPart[] = start > first ? [{ text: '…', isHit: false }] : [];
  const add = (part: string, isHit: boolean) => {
    const before = parts.at(-1);
    const shown = part.replace(/\s+/g, ' ');
    if (before?.isHit === isHit) before.text += shown;
    else if (shown !== '') parts.push({ text: shown, isHit });
  };
  let at = start;
  for (const [word] of hits) {
    if (word.start < start || word.start >= end) continue;
    add(text.slice(at, word.start), false);
    at = Math.min(word.end, end);
    add(text.slice(word.start, at), true);
  }
  add(text.slice(at, end) + (end < text.length ? '…' : ''), false);
  return parts;
}

/** The text with each mention replaced by signs of the same length. */
function withoutNames(text: string, mentions: Comment['mentions']): string {
  let searched = '';
  for (const { start, length } of mentions) {
    searched += text.slice(searched.length, start) + '@'.repeat(length);
  }
  return searched + text.slice(searched.length);
}

/** Words that are hits, in text order, with the query entries that they match. */
function findHits(words: Word[], { required, phrases }: Query): [Word, Match[]][] {
  const hits = new Map<Word, Match[]>();
  const inPhrases = new Set(phrases.flat().map((entry) => entry.join()));
  const loose = required.filter((entry) => !inPhrases.has(entry.join()));
  const entries = new Map(loose.flatMap((entry) => entry.map((match) => [match, entry])));
  const begun = [...entries].filter(([match]) => match.endsWith('*'));
  for (const word of words) {
    const found = word.tokens.find((token) => entries.has(token));
    const entry =
      entries.get(found ?? '') ??
      begun.find(([match]) => word.token.startsWith(match.slice(0, -1)))?.[1];
    if (entry) hits.set(word, entry);
  }
  for (const phrase of phrases) {
    let at = findPhrase(phrase, words);
    for (; at !== -1; at = findPhrase(phrase, words, at + phrase.length)) {
      for (const [index, entry] of phrase.entries()) hits.set(words[at + index] as Word, entry);
    }
  }
  return [...hits].sort(([one], [other]) => one.start - other.start);
}

/**
 * Finds the range of a snippet's length with the most distinct words, then with the most hits. Without hits it begins
 * at `first`.
 */
function densestOf(hits: [Word, Match[]][], first: number): { from: number; to: number } {
  let best = { from: first, to: first + maxLength, score: 0 };
  const counts = new Map<Match[], number>();
  const count = (entry: Match[], more: number) => {
    const counted = (counts.get(entry) ?? 0) + more;
    if (counted > 0) counts.set(entry, counted);
    else counts.delete(entry);
  };
  let next = 0;
  for (const [index, [{ start: from }, entry]] of hits.entries()) {
    for (let near = hits[next]; near && near[0].end <= from + maxLength; near = hits[++next]) {
      count(near[1], 1);
    }
    const score = counts.size * maxLength + next - index + 1;
    const to = next > index ? (hits[next - 1]?.[0].end ?? 0) : from + maxLength;
    if (score > best.score) best = { from, to, score };
    if (next > index) count(entry, -1);
    else next = index + 1;
  }
  return best;
}

/** Returns the end of a snippet from `start`: after a word, or after a grapheme of a very long one. */
function findEnd(text: string, words: Word[], start: number): number {
  const latest = start + maxLength;
  if (latest >= text.length) return text.length;
  const lastWord = words.findLast(({ end }) => end <= latest);
  if (lastWord && lastWord.end > start) return lastWord.end;
  const segments = new Intl.Segmenter('es').segment(text.slice(start, latest + 1));
  const ends = Array.from(segments, ({ index, segment }) => start + index + segment.length);
  return ends.findLast((end) => end <= latest) ?? start;
}
