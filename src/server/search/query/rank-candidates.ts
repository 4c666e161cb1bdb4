import type { YieldIfDue } from '../../overload/time-slices.ts';
import { dayMs } from '../../times.ts';
import { findWords, type Word } from '../index/words.ts';
import type { Candidate } from './load-docs.ts';
import { matchesToken } from './matches.ts';
import type { Match, Query } from './parse-query.ts';

const marks = /\p{M}/gu;

/** The most that each quality of a hit adds to its score. */
const weights = {
  /** The words follow each other in the order in which they were typed. */
  order: 4000,
  /** The words are spelled as they were typed. */
  spelling: 2000,
  /** The text is short. */
  brevity: 1500,
  /** The comment is new. */
  freshness: 1500,
};
/** A text of this many words gets half of what brevity adds. */
const halfBrevityWords = 40;
/** A comment this much older than the newest hit gets half of what freshness adds. */
const halfFreshnessDays = 90;
/** Words of the query that are compared; more would take time and change little. */
const comparedWords = 12;

export interface RankedCandidate extends Candidate {
  /** An integer from 0 to 999,999. */
  score: number;
}

/**
 * Ranks comments by relevance, newest first among equals. A score depends only on the comment, the query and
 * `atMs`.
 * @param q as typed @param atMs the time at which a comment counts as new
 */
export async function rankCandidates(
  q: string,
  query: Query,
  candidates: Candidate[],
  atMs: number,
  yieldIfDue: YieldIfDue,
): Promise<RankedCandidate[]> {
  const typed = spellings(q, findWords(q));
  const ranked: RankedCandidate[] = [];
  for (const candidate of candidates) {
    const ageDays = Math.max(0, atMs - candidate.createdAtMs) / dayMs;
    const freshness = halfFreshnessDays / (halfFreshnessDays + ageDays);
    const score = scoreText(query, typed, candidate.text) + weights.freshness * freshness;
    ranked.push({ ...candidate, score: Math.round(score) });
    await yieldIfDue();
  }
  return ranked.sort((one, other) => other.score - one.score || other.doc - one.doc);
}

function scoreText({ required }: Query, typed: Map<string, Set<string>>, text: string): number {
  const words = findWords(text);
  const positions = required.slice(0, comparedWords).map((entry) => positionsOf(entry, words));
  const gaps = positions
    .slice(1)
    .map((following, index) => closeness(positions[index] ?? [], following));
  const order = gaps.length > 0 ? sum(gaps) / gaps.length : 0;
  const found = spellings(
    text,
    words.filter(({ token }) => typed.has(token)),
  );
  const isSpelledSo = [...typed].map(([token, forms]) =>
    Number(forms.isSubsetOf(found.get(token) ?? new Set())),
  );
  const spelling = isSpelledSo.length > 0 ? sum(isSpelledSo) / isSpelledSo.length : 0;
  const brevity = halfBrevityWords / (halfBrevityWords + words.length);
  return weights.order * order + weights.spelling * spelling + weights.brevity * brevity;
}

/** Returns the positions of the words that match, in order. */
function positionsOf(entry: Match[], words: Word[]): number[] {
  return words.flatMap(({ token }, index) => (matchesToken(entry, token) ? [index] : []));
}

/** Returns 1 for adjacent words, less with words between them, and half of it in reverse order. */
function closeness(first: number[], second: number[]): number {
  let best = 0;
  let next = 0;
  for (const position of first) {
    while (next < second.length && (second[next] ?? 0) <= position) next++;
    const [before, after] = [second[next - 1], second[next]];
    if (after !== undefined) best = Math.max(best, 1 / (after - position));
    if (before !== undefined && before !== position)
      best = Math.max(best, 0.5 / (position - before));
  }
  return best;
}

/** Collects the lower-case spellings of each token, and the same without marks, which people often omit. */
function spellings(text: string, words: Word[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { token, start, end } of words) {
    const spelled = text.slice(start, end).toLowerCase();
    const forms = found.get(token) ?? new Set();
    found.set(token, forms.add(spelled).add(spelled.normalize('NFD').replace(marks, '')));
  }
  return found;
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
