import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ChannelOrder, ChannelPage } from '../../shared/channels.ts';
import { limits } from '../../shared/limits.ts';
import { api, type Result } from '../api/api.ts';
import { useQuery } from '../router/navigation.tsx';
import { useStore } from '../state/store-provider.tsx';

/**
 * Fetches the list each time the home page is shown, as specified, at the length it had when it was
 * last shown, so that Back returns to the same place.
 * @param after cursor in this order at which the list begins; null for its beginning
 */
export function useChannelList(order: ChannelOrder, after: string | null) {
  const { getState, dispatch } = useStore();
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController | null>(null);
  const isFirstPage = after === null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry increments `attempt` to fetch again
  useEffect(() => {
    const controller = new AbortController();
    running.current = controller;
    const { list } = getState();
    const isSameList = list?.isFirstPage === isFirstPage && list.order === order;
    const shownCount = isSameList ? list.ids.length : 0;
    const count = Math.max(limits.channelsPerPage, shownCount);
    fetchChannels(order, after, count, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (!result.ok && result.problem?.code === 'invalid_cursor') {
        return dispatch({ type: 'PLACE_MISSING', place: location.pathname + location.search });
      }
      setFailed(!result.ok);
      if (!result.ok) return dispatch({ type: 'SET_ERROR' });
      const { data, next } = result.value;
      dispatch({ type: 'DELETE_ERROR' });
      dispatch({ type: 'CHANNELS_LISTED', channels: data, order, next, isFirstPage });
    });
    return () => controller.abort();
  }, [order, after, isFirstPage, attempt, getState, dispatch]);

  const retry = () => {
    setFailed(false);
    setAttempt(attempt + 1);
  };

  /** Appends the next page. @returns the id of its first channel, '' without one, null on failure */
  const loadMore = async (next: string): Promise<string | null> => {
    // A running fetch would reset the list to its previous length.
    running.current?.abort();
    const result = await api.listChannels(order, next, limits.channelsPerPage);
    if (!result.ok) return null;
    const { data } = result.value;
    // flushSync renders the channels now, so that the caller can focus one.
    flushSync(() =>
      dispatch({ type: 'CHANNELS_ADDED', after: next, channels: data, next: result.value.next }),
    );
    return data[0]?._id ?? '';
  };

  return { hasFailed, retry, loadMore };
}

/** The order in the address, or the usual one, as always on the server. */
export function useOrder(): ChannelOrder {
  const sort = new URLSearchParams(useQuery()).get('sort');
  return sort === 'activity' || sort === 'new' ? sort : 'comments';
}

/** Fetches `count` channels, in pages of at most as many as the server allows. */
async function fetchChannels(
  order: ChannelOrder,
  start: string | null,
  count: number,
  signal: AbortSignal,
): Promise<Result<ChannelPage>> {
  const data: ChannelPage['data'] = [];
  let next = start;
  do {
    const limit = Math.min(limits.listItems, count - data.length);
    const page = await api.listChannels(order, next, limit, signal);
    if (!page.ok) return page;
    data.push(...page.value.data);
    next = page.value.next;
  } while (next !== null && data.length < count);
  return { ok: true, value: { data, next } };
}
