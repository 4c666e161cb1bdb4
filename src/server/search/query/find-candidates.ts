import type { Database } from '../../database/tables.ts';
import type { YieldIfDue } from '../../overload/time-slices.ts';
import { findDocs } from './find-docs.ts';
import { type Candidate, loadCandidates } from './load-docs.ts';
import { hasPhrases, isInOrder } from './matches.ts';
import type { Query } from './parse-query.ts';

/** Comments from the index that one request reads, including those of hidden channels. */
export const mostCandidates = 1000;
/** Limits of one request. A page that reaches one of them is short, and the next one continues there. */
const bounds = {
  candidates: mostCandidates,
  /** UTF-16 code units of the texts. */
  chars: 200_000,
  /** Hidden channels that the query of the index excludes. */
  hiddenChannels: 50,
};
/** Comments loaded at once, of up to 10,000 characters. */
const loadedAtOnce = 200;

/** Where a search looks. */
export interface Scope {
  channelId?: string | undefined;
  authorId?: string | undefined;
}

export interface CandidateSearch extends Scope {
  query: Query;
  /** Restricts the search to docs below this one. */
  before?: number | undefined;
  limit: number;
  withTexts?: boolean;
  /** Leaves out texts that match this query, from a doc up. */
  without?: { query: Query; from: number } | undefined;
}

export interface Candidates {
  /** The newest first. */
  found: Candidate[];
  /** The search continues below this doc; null when nothing is left. */
  rest: number | null;
  /** Whether the index took too long. */
  isLate: boolean;
}

/** Finds the newest visible comments that match. Phrases are checked in their texts. */
export async function findCandidates(
  db: Database,
  search: CandidateSearch,
  yieldIfDue: YieldIfDue,
): Promise<Candidates> {
  const { query, channelId, authorId, limit, without } = search;
  const isOrdered = hasPhrases(query);
  const withTexts = search.withTexts || isOrdered || without !== undefined;
  const isHit = ({ text, doc }: Candidate) =>
    (!isOrdered || isInOrder(query, text)) &&
    !(without && doc >= without.from && isInOrder(without.query, text));
  const found: Candidate[] = [];
  const withoutChannels = new Set<number>();
  let { before } = search;
  let [candidates, chars] = [0, 0];
  for (;;) {
    // A filter may remove some of the rows, so more are read: one large query costs less than several.
    const asked = isOrdered || candidates > 0 ? bounds.candidates - candidates : limit;
    const wanted = { query, channelId, authorId, withoutChannels, before, limit: asked };
    const { docs, rest } = await findDocs(db, wanted);
    for (let start = 0; start < docs.length; start += loadedAtOnce) {
      const slice = docs.slice(start, start + loadedAtOnce);
      const { visible, hiddenChannels } = await loadCandidates(db, slice, { withTexts, authorId });
      for (const channel of hiddenChannels) {
        if (withoutChannels.size < bounds.hiddenChannels) withoutChannels.add(channel);
      }
      for (const doc of slice) {
        const candidate = visible.get(doc);
        candidates++;
        chars += candidate?.text.length ?? 0;
        if (candidate && isHit(candidate)) found.push(candidate);
        const isFull = found.length === limit;
        if (isFull || candidates === bounds.candidates || chars >= bounds.chars) {
          return { found, rest: doc, isLate: false };
        }
        await yieldIfDue();
      }
    }
    const isLate = rest !== null && docs.length < asked;
    if (rest === null || isLate) return { found, rest, isLate };
    before = rest;
  }
}
