import { flushSync } from 'react-dom';
import { apiRoutes } from '../../shared/api-routes.ts';
import { limits } from '../../shared/limits.ts';
import type { SearchContent } from '../../shared/page-data.ts';
import { withQuery } from '../../shared/routes.ts';
import type { SearchResults } from '../../shared/search.ts';
import { defineCall } from '../api/call.ts';
import type { Failure, Result } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { getChannel } from '../channels/channel-calls.ts';
import type { Store } from '../state/store.ts';
import type { SearchPlace } from './search-place.ts';
import { searchTexts } from './search-texts.ts';

export interface SearchLoad {
  /** Path and query of the search. */
  address: string;
  place: SearchPlace;
  /** The channel that is searched; it is fetched if it is not known. */
  channel: SearchContent['channel'] | undefined;
  /** Whether the last word may still be incomplete. */
  isTyping: boolean;
}

interface LoadOptions {
  /** Called with what to show instead, or with null when all is well. */
  onFailure: (text: string | null) => void;
  signal: AbortSignal;
}

/** Loads what the search page shows, at the length it had when it was last shown. */
export async function loadSearch(
  load: SearchLoad,
  { onFailure, signal }: LoadOptions,
  store: Store,
): Promise<void> {
  const { getState, dispatch } = store;
  const { address } = load;
  const loaded = getState().searches.get(address)?.results?.data.length ?? 0;
  const result = await fetchSearch(load, loaded, signal);
  if (signal.aborted) return;
  if (result.ok) {
    onFailure(null);
    return dispatch({ type: 'SEARCH_LOADED', place: address, content: result.value });
  }
  const { problem, isLate } = result;
  if (problem?.code === 'channel_not_found' || problem?.code === 'invalid_cursor') {
    return dispatch({ type: 'PLACE_MISSING', place: address });
  }
  onFailure(problem?.detail ?? (isLate ? searchTexts.searchIsLate : searchTexts.searchFailed));
  // A lost connection comes back.
  const again = () => void loadSearch(load, { onFailure, signal }, store);
  if (!problem) addEventListener('online', again, { once: true, signal });
}

/** Appends the page after a cursor. @returns the id of its first comment, '' without one, null on failure */
export async function loadMoreHits(
  load: SearchLoad,
  next: string,
  { getState, dispatch }: Store,
): Promise<string | null> {
  const { address, place } = load;
  const page = await fetchHits({ ...load, place: { ...place, after: next } }, limits.hitsPerPage);
  const content = getState().searches.get(address);
  // Ignore a late response: the hits were loaded again meanwhile.
  if (!page.ok || content?.results?.next !== next) return null;
  const data = [...content.results.data, ...page.value.data];
  const results = { ...content.results, data, next: page.value.next };
  // flushSync renders the hits now, so that the caller can focus one.
  flushSync(() =>
    dispatch({ type: 'SEARCH_LOADED', place: address, content: { ...content, results } }),
  );
  // The link to more hits is gone, and none is there to get its focus.
  if (document.activeElement === document.body) {
    document.querySelector('main')?.focus({ preventScroll: true });
  }
  return page.value.data[0]?.comment.id ?? '';
}

async function fetchSearch(
  load: SearchLoad,
  loaded: number,
  signal: AbortSignal,
): Promise<Result<SearchContent>> {
  const { q, channel: id, sort, after } = load.place;
  const [hits, found] = await Promise.all([
    // Without words nothing is searched.
    q ? fetchAll(load, loaded, signal) : null,
    id && !load.channel ? request(getChannel, { id, comments: 0 }, { signal }) : null,
  ]);
  const hint = hits && (hits.ok ? findNextStep(load, hits.value) : findHint(load, hits));
  if (hits && !hits.ok && hint === null) return hits;
  if (found && !found.ok) return found;
  const { _id = '', name = '' } = load.channel ?? found?.value ?? {};
  const channel = id ? { _id, name } : null;
  const results = hits?.ok && hint === null ? hits.value : null;
  return { ok: true, value: { q, channel, sort, isFirstPage: after === null, results, hint } };
}

/** Pages of hits that are loaded again at most. */
const mostPages = 5;

/** The first page, and further ones as long as fewer hits are there than were loaded. */
async function fetchAll(
  load: SearchLoad,
  loaded: number,
  signal: AbortSignal,
): Promise<Result<SearchResults>> {
  const limit = Math.min(Math.max(loaded, limits.hitsPerPage), limits.listItems);
  const first = await fetchHits(load, limit, signal);
  if (!first.ok) return first;
  let { data, next } = first.value;
  for (let pages = 1; next && data.length < loaded && pages < mostPages; pages += 1) {
    const place = { ...load.place, after: next };
    const page = await fetchHits({ ...load, place }, limit, signal);
    if (!page.ok) return page;
    data = [...data, ...page.value.data];
    next = page.value.next;
  }
  return { ok: true, value: { ...first.value, data, next } };
}

/** What a dead key shows until its letter is typed. */
const deadKey = /[´`^¨~]$/;

const search = defineCall<
  Pick<SearchLoad, 'place' | 'isTyping'> & { limit: number },
  SearchResults
>(
  'GET',
  ({ place: { q, channel, sort, after }, isTyping, limit }) =>
    withQuery(apiRoutes.search, {
      q: isTyping ? q.replace(deadKey, '') : q,
      channel,
      sort: sort === 'new' ? null : sort,
      after,
      typing: isTyping ? 1 : null,
      limit,
    }),
  { has: 'data' },
);

const fetchHits = ({ place, isTyping }: SearchLoad, limit: number, signal?: AbortSignal) =>
  request(search, { place, isTyping, limit }, { signal });

/** A last word of fewer than three letters, which the server takes for a whole one. */
const begunWord = /(?:^|[^\p{L}\p{N}])[\p{L}\p{N}]{1,2}$/u;

/** What to do when nothing is found yet, since a word is only begun. */
function findNextStep({ place, isTyping }: SearchLoad, results: SearchResults): string | null {
  const { data, channels, next, suggestion } = results;
  const isFound = data.length + channels.length > 0 || next !== null || suggestion !== null;
  return isTyping && !isFound && begunWord.test(place.q) ? searchTexts.goOnTyping : null;
}

/** What to write instead, when the words cannot be searched for. */
function findHint({ channel }: SearchLoad, { problem }: Failure): string | null {
  // It was there when the search was opened: what is typed stays on the page.
  if (problem?.code === 'channel_not_found' && channel) return searchTexts.searchedChannelGone;
  return problem?.errors?.find(({ field }) => field === 'q')?.message ?? null;
}
