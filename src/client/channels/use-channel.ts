import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type CommentRange, parseCommentRange } from '../../shared/comment-range.ts';
import { loadEarlier, loadLater } from '../comments/load-comments.ts';
import { useQueryString } from '../router/navigation.tsx';
import { useIsHydration, useStore } from '../state/store-provider.tsx';
import { type LoadStatus, loadRange } from './load-range.ts';
import { refreshChannel } from './refresh-channel.ts';

/** The range of comments that the address asks for. */
export function useRange(): CommentRange {
  const query = useQueryString();
  return useMemo(() => parseCommentRange(Object.fromEntries(new URLSearchParams(query))), [query]);
}

/** Loads a channel with the comments that a range selects. */
export function useChannel(id: string, range: CommentRange) {
  const store = useStore();
  const isHydration = useIsHydration();
  // The server has rendered this range of the first page that is shown.
  const served = useRef(isHydration ? range : null);
  const [status, setStatus] = useState<LoadStatus>(isHydration ? 'ready' : 'loading');
  const [attempt, setAttempt] = useState(0);
  /** The load that the last effect began. After it, the live stream keeps the channel up to date. */
  const lastLoad = useRef<{ key: string; range: CommentRange } | null>(null);

  useLayoutEffect(() => {
    store.dispatch({ type: 'RANGE_SHOWN', channelId: id, range });
  }, [id, range, store]);

  useEffect(() => {
    const key = `${id} ${attempt}`;
    const isServed = served.current === range;
    served.current = null;
    const isFollowed = lastLoad.current?.key === key;
    const isOpened = lastLoad.current?.range !== range;
    lastLoad.current = { key, range };
    const controller = new AbortController();
    const { signal } = controller;
    const options = { id, range, isServed, isFollowed, isOpened, onStatus: setStatus, signal };
    loadRange(options, store);
    return () => controller.abort();
  }, [id, range, attempt, store]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  const live = useMemo(
    () => ({
      reload: retry,
      refresh: (signal: AbortSignal) => refreshChannel(id, store, signal),
    }),
    [id, store, retry],
  );

  return {
    status,
    retry,
    live,
    loadLater: (after: string) => loadLater(id, after, store),
    loadEarlier: (before: string) => loadEarlier(id, before, store),
  };
}
