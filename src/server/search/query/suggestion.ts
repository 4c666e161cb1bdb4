import type { Database } from '../../database/tables.ts';
import type { YieldIfDue } from '../../overload/time-slices.ts';
import { findCandidates } from './find-candidates.ts';
import { suggestVariants } from './n-variants.ts';
import { parseQuery } from './parse-query.ts';
import { searchChannels } from './search-channels.ts';

/** Time after which no further variant is tried: each takes as long as a search. */
const budgetMs = 500;

/** Finds the first variant of the text, with ñ for n or n for ñ, that has a hit. */
export async function findSuggestion(
  db: Database,
  q: string,
  channelId: string | undefined,
  yieldIfDue: YieldIfDue,
): Promise<string | null> {
  const endMs = performance.now() + budgetMs;
  for (const variant of suggestVariants(q)) {
    if (performance.now() > endMs) break;
    const query = parseQuery(variant, false);
    const search = { query, channelId, before: undefined, limit: 1, withTexts: false };
    const { found } = await findCandidates(db, search, yieldIfDue);
    if (found.length > 0) return variant;
    if (channelId === undefined && (await searchChannels(db, query, yieldIfDue)).length > 0) {
      return variant;
    }
  }
  return null;
}
