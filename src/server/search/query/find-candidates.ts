import type { Database } from '../../database/tables.ts';
import type { YieldIfDue } from '../../overload/time-slices.ts';
import { findDocs } from './find-docs.ts';
import { type Candidate, loadCandidates } from './load-docs.ts';
import { hasPhrases, matches } from './matches.ts';
import type { Query } from './parse-query.ts';

/** Limits of one request. A page that reaches one of them is short, and the next one continues there. */
const bounds = {
  /** Comments from the index, including those of hidden channels. */
  candidates: 1000,
  /** UTF-16 code units of the texts. */
  chars: 200_000,
  /** Hidden channels that the query of the index excludes. */
  hiddenChannels: 50,
};
/** Comments loaded at once, of up to 10,000 characters. */
const loadedAtOnce = 200;

export interface CandidateSearch {
  query: Query;
  channelId: string | undefined;
  /** Restricts the search to docs below this one. */
  before: number | undefined;
  limit: number;
  withTexts: boolean;
}

export interface Candidates {
  /** The newest first. */
  found: Candidate[];
  /** The search continues below this doc; null when nothing is left. */
  rest: number | null;
}

/** Finds the newest visible comments that match. Phrases are checked in their texts. */
export async function findCandidates(
  db: Database,
  search: CandidateSearch,
  yieldIfDue: YieldIfDue,
): Promise<Candidates> {
  const { query, channelId, limit } = search;
  const isOrdered = hasPhrases(query);
  const withTexts = search.withTexts || isOrdered;
  const found: Candidate[] = [];
  const withoutChannels = new Set<number>();
  let { before } = search;
  let [candidates, chars] = [0, 0];
  for (;;) {
    // A filter may remove some of the rows, so more are read: one large query costs less than several.
    const asked = isOrdered || candidates > 0 ? bounds.candidates - candidates : limit;
    const wanted = { query, channelId, withoutChannels, before, limit: asked };
    const { docs, rest } = await findDocs(db, wanted);
    for (let start = 0; start < docs.length; start += loadedAtOnce) {
      const slice = docs.slice(start, start + loadedAtOnce);
      const { visible, hiddenChannels } = await loadCandidates(db, slice, withTexts);
      for (const channel of hiddenChannels) {
        if (withoutChannels.size < bounds.hiddenChannels) withoutChannels.add(channel);
      }
      for (const doc of slice) {
        const candidate = visible.get(doc);
        candidates++;
        chars += candidate?.text.length ?? 0;
        if (candidate && (!isOrdered || matches(query, candidate.text))) found.push(candidate);
        const isFull = found.length === limit;
        if (isFull || candidates === bounds.candidates || chars >= bounds.chars) {
          return { found, rest: doc };
        }
        await yieldIfDue();
      }
    }
    // Fewer docs than requested with some left means that the time is used up.
    if (rest === null || docs.length < asked) return { found, rest };
    before = rest;
  }
}
