import type { Database } from '../../database/tables.ts';
import type { TakeTurn } from '../../overload/take-turns.ts';
import { findDocs } from './find-docs.ts';
import { type Candidate, loadCandidates } from './load-docs.ts';
import { hasPhrases, matches } from './matches.ts';
import type { Query } from './parse-query.ts';

/** What one request may look at. A page is short when it ends at one of these; the next one goes on. */
const bounds = {
  /** Comments that the index gives, those of hidden channels too. */
  candidates: 1000,
  /** UTF-16 code units of texts. */
  chars: 200_000,
  /** Hidden channels whose further comments the index leaves out. */
  hiddenChannels: 50,
};
/** Comments loaded at once, of up to 10,000 characters. */
const loadedAtOnce = 200;

export interface CandidateSearch {
  query: Query;
  channelId: string | undefined;
  /** Only docs below this one. */
  before: number | undefined;
  limit: number;
  withTexts: boolean;
}

export interface Candidates {
  /** The newest first. */
  found: Candidate[];
  /** The search goes on below this doc; null when there is nothing left. */
  rest: number | null;
}

/** The newest visible comments that have what is searched for. Phrases are checked in their texts. */
export async function findCandidates(
  db: Database,
  search: CandidateSearch,
  takeTurn: TakeTurn,
): Promise<Candidates> {
  const { query, channelId, limit } = search;
  const isOrdered = hasPhrases(query);
  const withTexts = search.withTexts || isOrdered;
  const found: Candidate[] = [];
  const withoutChannels = new Set<number>();
  let { before } = search;
  let [candidates, chars] = [0, 0];
  for (;;) {
    // Where some of them may not count, more are needed, and asking once costs least.
    const asked = isOrdered || candidates > 0 ? bounds.candidates - candidates : limit;
    const wanted = { query, channelId, withoutChannels, before, limit: asked };
    const { docs, rest } = await findDocs(db, wanted, takeTurn);
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
        await takeTurn();
      }
    }
    // Fewer than asked for, and yet something left: this has taken long enough.
    if (rest === null || docs.length < asked) return { found, rest };
    before = rest;
  }
}
