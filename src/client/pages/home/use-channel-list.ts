import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ChannelOrder } from '../../../shared/channels.ts';
import { limits } from '../../../shared/limits.ts';
import { publicKeys } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { listChannels } from '../../conversation/channel-calls.ts';
import { preloadCarried } from '../../conversation/load-carried.ts';
import { useQueryString } from '../../router/navigation.tsx';
import { useStore } from '../../state/store-provider.tsx';

/**
 * Fetches the list each time the home page is shown, as specified, with as many pages as when it was last shown, so
 * that Back returns to the same scroll position. The page renders the state, not the query.
 * @param after cursor in this order at which the list begins; null for its beginning
 */
export function useChannelList(order: ChannelOrder, after: string | null) {
  const { dispatch } = useStore();
  const query = useInfiniteQuery({
    queryKey: publicKeys.channels(order, after),
    queryFn: async ({ pageParam, signal }) => {
      const page = { order, after: pageParam, limit: limits.channelsPerPage };
      const listed = await request(listChannels, page, { signal });
      await preloadCarried(listed);
      return listed;
    },
    initialPageParam: after,
    getNextPageParam: ({ next }) => next,
    // The user may read a channel for a long time before going back.
    gcTime: Number.POSITIVE_INFINITY,
  });
  const { data, error, isFetchedAfterMount, isFetchNextPageError } = query;

  useEffect(() => {
    // A response from before this page was mounted may be older than the state, which live events have changed.
    if (!data || !isFetchedAfterMount) return;
    const channels = data.pages.flatMap((page) => page.data);
    const pinned = data.pages[0]?.pinned ?? [];
    const upcoming = data.pages[0]?.upcoming ?? [];
    const announcements = data.pages[0]?.announcements ?? [];
    const next = data.pages.at(-1)?.next ?? null;
    dispatch({ type: 'DELETE_ERROR' });
    const isFirstPage = after === null;
    const listed = { channels, pinned, upcoming, announcements, order, next, isFirstPage };
    dispatch({ type: 'CHANNELS_LISTED', ...listed });
  }, [data, isFetchedAfterMount, order, after, dispatch]);

  const hasFailed = error !== null && !isFetchNextPageError;
  const isMissing = error?.code === 'invalid_cursor';
  useEffect(() => {
    if (!hasFailed) return;
    const address = location.pathname + location.search;
    dispatch(isMissing ? { type: 'ADDRESS_MISSING', address } : { type: 'SET_ERROR' });
  }, [hasFailed, isMissing, dispatch]);

  return { query, hasFailed: hasFailed && !isMissing };
}

/** The order in the address; by default, and on the server, by number of comments. */
export function useOrder(): ChannelOrder {
  const sort = new URLSearchParams(useQueryString()).get('sort');
  return sort === 'activity' || sort === 'new' ? sort : 'comments';
}
