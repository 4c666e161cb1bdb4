import { useEffect, useRef, useState } from 'react';
import { usePlace } from '../router/navigation.tsx';
import { useAppState, useIsReady, useStore } from '../state/store-provider.tsx';
import { loadMoreHits, loadSearch } from './load-search.ts';
import { readSearch, type SearchPlace } from './search-place.ts';
import { isTyping } from './typed-search.ts';

/** The search that the address asks for, and what is loaded of it or, until then, of the one before. */
export function useSearch() {
  const store = useStore();
  const isReady = useIsReady();
  const address = usePlace();
  const content = useAppState((state) => state.searches.get(address));
  const [shown, setShown] = useState(content);
  if (content && content !== shown) setShown(content);

  const asked = readSearch(address);
  // The server renders without the query of the address.
  const place: SearchPlace =
    isReady || !content ? asked : { ...asked, ...content, channel: content.channel?._id };
  const { q } = place;
  const channel = useAppState(({ channels, searches }) => {
    const searched = [...searches.values()].map((content) => content.channel);
    const id = place.channel ?? '';
    return channels.get(id) ?? searched.find((channel) => channel?._id === id) ?? undefined;
  });

  const served = useRef(isReady ? null : address);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);

  const load = () => ({ address, place: asked, channel, isTyping: isTyping() });
  const needsCall = q !== '' || (place.channel && !channel);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry increments `attempt` to search again
  useEffect(() => {
    const isServed = served.current === address && !isTyping();
    served.current = null;
    if (isServed || !needsCall) return;
    const controller = new AbortController();
    const { signal } = controller;
    loadSearch(load(), { onFailure: setFailure, signal }, store);
    return () => controller.abort();
  }, [address, attempt, store]);

  const retry = () => {
    setFailure(null);
    setAttempt((count) => count + 1);
  };

  const loadMore = (next: string) => loadMoreHits(load(), next, store);

  return {
    place,
    channel,
    /** Null when nothing is searched for or nothing is loaded yet. */
    results: q ? (shown?.results ?? null) : null,
    /** What to write instead, when the words cannot be searched for. */
    hint: q ? (shown?.hint ?? null) : null,
    isFirstPage: shown?.isFirstPage ?? true,
    isLoading: q !== '' && content === undefined && failure === null,
    /** Why nothing new is shown; null when all is well. */
    failure: needsCall ? failure : null,
    retry,
    loadMore,
  };
}
