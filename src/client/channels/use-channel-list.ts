import { useEffect, useRef, useState } from 'react';
import type { ChannelOrder } from '../../shared/channels.ts';
import { useQueryString } from '../router/navigation.tsx';
import { useStore } from '../state/store-provider.tsx';
import { fetchChannels, fetchMoreChannels } from './fetch-channels.ts';

/**
 * Fetches the list each time the home page is shown, as specified, at the length it had when it was
 * last shown, so that Back returns to the same scroll position.
 * @param after cursor in this order at which the list begins; null for its beginning
 */
export function useChannelList(order: ChannelOrder, after: string | null) {
  const store = useStore();
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry increments `attempt` to fetch again
  useEffect(() => {
    const { dispatch } = store;
    const controller = new AbortController();
    running.current = controller;
    fetchChannels(order, after, store, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (!result.ok && result.problem?.code === 'invalid_cursor') {
        return dispatch({ type: 'ADDRESS_MISSING', address: location.pathname + location.search });
      }
      setFailed(!result.ok);
      if (!result.ok) return dispatch({ type: 'SET_ERROR' });
      const { data, next } = result.value;
      const isFirstPage = after === null;
      dispatch({ type: 'DELETE_ERROR' });
      dispatch({ type: 'CHANNELS_LISTED', channels: data, order, next, isFirstPage });
    });
    return () => {
      controller.abort();
      setFailed(false);
    };
  }, [order, after, attempt, store]);

  const retry = () => setAttempt(attempt + 1);

  /** Appends the next page. @returns the id of its first channel, '' without one, null on failure */
  const loadMore = (next: string) => {
    // A running fetch would reset the list to its previous length.
    running.current?.abort();
    return fetchMoreChannels(order, next, store);
  };

  return { hasFailed, retry, loadMore };
}

/** The order in the address; on the server, and by default, that of the number of comments. */
export function useOrder(): ChannelOrder {
  const sort = new URLSearchParams(useQueryString()).get('sort');
  return sort === 'activity' || sort === 'new' ? sort : 'comments';
}
