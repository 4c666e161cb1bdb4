import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type CommentRange, parseCommentRange } from '../../../shared/comment-range.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import {
  restoreReloaded,
  savedScrollPosition,
  useSavedScrollPosition,
} from '../../conversation/reading/scroll-position.ts';
import { useQueryString } from '../../router/navigation.tsx';
import { hasNumbers } from '../../state/comment-span.ts';
import { useHydrated, useStore } from '../../state/store-provider.tsx';
import { loadEarlier, loadLater, openSpan, refetchSpan } from './channel-span.ts';

/** The range of comments in the address. */
export function useRange(): CommentRange {
  const query = useQueryString();
  const isReady = useHydrated();
  const { pageData } = useStore().initialState;
  // The first render uses the served range, as on the server, not the query string.
  const served = !isReady && pageData.page === 'channel' ? pageData.range : undefined;
  return useMemo(
    () => served ?? parseCommentRange(Object.fromEntries(new URLSearchParams(query))),
    [served, query],
  );
}

/** Loads a channel with the comments of its history entry, and saves the scroll position in that entry. */
export function useChannel(id: string, range: CommentRange) {
  const store = useStore();
  const isReady = useHydrated();
  const [isHydration] = useState(!isReady);
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>(
    isHydration ? 'ready' : 'loading',
  );
  const [attempt, setAttempt] = useState(0);
  /** The range shown last. It differs from the range in the address until that is loaded. */
  const [shown, setShown] = useState(isHydration ? range : null);
  const isServed = useRef(isHydration);
  /**
   * Id and attempt of the latest load. If the effect runs again with both unchanged, the live stream keeps the channel
   * up to date.
   */
  const lastLoad = useRef('');

  useEffect(() => {
    if (!isReady) return;
    const key = `${id} ${attempt}`;
    const isFollowed = lastLoad.current === key;
    const isForced = !isFollowed && attempt > 0;
    lastLoad.current = key;
    const saved = savedScrollPosition();
    const channel = store.getState().channels.get(id);
    const isComplete = isServed.current && channel && (!saved || hasNumbers(channel, saved.n));
    isServed.current = false;
    if (isComplete) {
      restoreReloaded(channel.comments);
      return setShown(range);
    }
    const controller = new AbortController();
    const { signal } = controller;
    if (!isFollowed) setStatus('loading');
    const load = async () => {
      const result = await orFailure(openSpan({ id, range, saved, isForced, signal }, store));
      if (signal.aborted) return;
      if (result instanceof Failure) return setStatus('failed');
      setStatus('ready');
      setShown(range);
    };
    void load();
    return () => controller.abort();
  }, [id, range, attempt, store, isReady]);

  const isLoaded = status === 'ready' && shown === range;
  useSavedScrollPosition(id, isLoaded);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  const live = useMemo(
    () => ({
      reload: retry,
      refresh: (signal: AbortSignal) => refetchSpan(id, store, signal),
    }),
    [id, store, retry],
  );

  return {
    status,
    /** Whether the page shows the range of the history entry. */
    isLoaded,
    retry,
    live,
    loadLater: () => loadLater(id, store),
    loadEarlier: () => loadEarlier(id, store),
  };
}
