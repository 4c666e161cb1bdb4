import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Failure } from '../api/api.ts';
import { bundles } from '../bundles.ts';
import { usePlace } from '../router/navigation.tsx';
import type { AppState } from '../state/state.ts';
import { useAppState, useIsReady, useStore } from '../state/store-provider.tsx';
import { readSearch, type SearchPlace } from './search-place.ts';
import { searchTexts } from './search-texts.ts';
import { isTyping } from './typed-search.ts';

/** The search that the address asks for, and what is loaded of it or, until then, of the one before. */
export function useSearch() {
  const { getState, dispatch } = useStore();
  const isReady = useIsReady();
  const address = usePlace();
  const content = useAppState((state) => state.searches.get(address));
  const [shown, setShown] = useState(content);
  if (content && content !== shown) setShown(content);
  // The server renders without the query of the address.
  const asked = readSearch(address);
  const place: SearchPlace =
    isReady || !content
      ? asked
      : {
          ...asked,
          q: content.q,
          channel: content.channel?._id,
          sort: content.sort,
        };
  const known = useAppState((state) => findChannel(state, place.channel));

  const served = useRef(isReady ? null : address);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry increments `attempt` to search again
  useEffect(() => {
    const isServed = served.current === address && !isTyping();
    served.current = null;
    const search = readSearch(address);
    const state = getState();
    const channel = findChannel(state, search.channel);
    const isWithoutCall = !search.q && (!search.channel || channel);
    if (isServed || isWithoutCall) return;
    const loaded = state.searches.get(address)?.results?.data.length ?? 0;
    const controller = new AbortController();
    const { signal } = controller;
    const fetchContent = async () => {
      const { fetchSearch } = await bundles.late.load();
      return fetchSearch({ ...search, isTyping: isTyping(), loaded, signal }, channel);
    };
    fetchContent().then(
      (result) => {
        if (signal.aborted) return;
        if (result.ok) {
          setFailure(null);
          return dispatch({ type: 'SEARCH_LOADED', place: address, content: result.value });
        }
        const { code = '' } = result.problem ?? {};
        if (code === 'channel_not_found' || code === 'invalid_cursor') {
          return dispatch({ type: 'PLACE_MISSING', place: address });
        }
        return setFailure(failureText(result));
      },
      () => setFailure(searchTexts.failed),
    );
    return () => controller.abort();
  }, [address, attempt, dispatch, getState]);

  const retry = () => setAttempt((count) => count + 1);

  /** Appends the next page. @returns the id of its first comment, '' without one, null on failure */
  const loadMore = async (next: string): Promise<string | null> => {
    const page = await bundles.late.load().then(
      ({ fetchHits }) => fetchHits({ ...place, after: next, isTyping: isTyping() }),
      () => null,
    );
    const before = getState().searches.get(address);
    if (!page?.ok || before?.results?.next !== next) return null;
    const { data, next: following } = page.value;
    const results = {
      ...before.results,
      data: [...before.results.data, ...data],
      next: following,
    };
    // flushSync renders the hits now, so that the caller can focus one.
    flushSync(() =>
      dispatch({ type: 'SEARCH_LOADED', place: address, content: { ...before, results } }),
    );
    return data[0]?.comment.id ?? '';
  };

  return {
    place,
    channel: known,
    /** Null when nothing is searched for or nothing is loaded yet. */
    results: place.q ? (shown?.results ?? null) : null,
    /** What to write instead, when the words cannot be searched for. */
    hint: place.q ? (shown?.hint ?? null) : null,
    isFirstPage: shown?.isFirstPage ?? true,
    isLoading: Boolean(place.q) && content === undefined && failure === null,
    /** Why nothing new is shown; null when all is well. */
    failure,
    retry,
    loadMore,
  };
}

/** A channel whose name some page has loaded. */
function findChannel({ channels, searches }: AppState, id: string | undefined) {
  if (!id) return undefined;
  const searched = [...searches.values()].map(({ channel }) => channel);
  return channels.get(id) ?? searched.find((channel) => channel?._id === id) ?? undefined;
}

function failureText({ problem, isLate }: Failure): string {
  return problem?.detail ?? (isLate ? searchTexts.late : searchTexts.failed);
}
