import type { Channel } from '../../shared/channels.ts';
import { limits } from '../../shared/limits.ts';
import type { SearchContent } from '../../shared/page-data.ts';
import { apiRoutes, withQuery } from '../../shared/routes.ts';
import type { SearchOrder, SearchResults } from '../../shared/search.ts';
import { call, type Failure, type Result } from '../api/api.ts';

export interface SearchCall {
  q: string;
  channel: string | undefined;
  sort: SearchOrder;
  after: string | null;
  /** Whether the last word may still be incomplete. */
  isTyping: boolean;
  /** How many hits are fetched again. */
  loaded?: number;
  signal?: AbortSignal;
}

export function fetchHits({ q, channel, sort, after, isTyping, loaded = 0, signal }: SearchCall) {
  const url = withQuery(apiRoutes.search, {
    q,
    channel,
    sort: sort === 'new' ? null : sort,
    after,
    typing: isTyping ? 1 : null,
    limit: Math.min(Math.max(loaded, limits.hitsPerPage), limits.listItems),
  });
  return call<SearchResults>(url, { has: 'data', signal });
}

/**
 * What the search page shows. Without words nothing is searched.
 * @param known the channel that is searched; it is fetched if it is not known
 */
export async function fetchSearch(
  search: SearchCall,
  known: SearchContent['channel'] | undefined,
): Promise<Result<SearchContent>> {
  const { q, channel: id, sort, after, signal } = search;
  const [hits, found] = await Promise.all([
    q ? fetchHits(search) : null,
    id && !known ? fetchChannelName(id, signal) : null,
  ]);
  const hint = hits?.ok === false ? findHint(hits) : null;
  if (hits && !hits.ok && hint === null) return hits;
  if (found && !found.ok) return found;
  const { _id = '', name = '' } = known ?? found?.value ?? {};
  const channel = id ? { _id, name } : null;
  const results = hits?.ok ? hits.value : null;
  return { ok: true, value: { q, channel, sort, isFirstPage: after === null, results, hint } };
}

function fetchChannelName(id: string, signal: AbortSignal | undefined) {
  const url = withQuery(apiRoutes.channel(id), { comments: 0 });
  return call<Channel>(url, { has: '_id', signal });
}

/** What to write instead, when the words cannot be searched for. */
function findHint({ problem }: Failure): string | null {
  return problem?.errors?.find(({ field }) => field === 'q')?.message ?? null;
}
