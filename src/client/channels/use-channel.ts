import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type CommentRange, parseCommentRange } from '../../shared/comment-range.ts';
import { loadEarlier, loadLater } from '../comments/load-comments.ts';
import { useQuery } from '../router/navigation.tsx';
import { useIsReady, useStore } from '../state/store-provider.tsx';
import { type LoadStatus, loadPlace } from './load-place.ts';

/** The place in the channel that the address asks for, or that its page had when it was left. */
export function usePlace(): CommentRange {
  const query = useQuery();
  const isReady = useIsReady();
  const find = () => {
    // Noted by `trimComments`.
    const asked =
      (isReady && history.state?.kept) || Object.fromEntries(new URLSearchParams(query));
    return { query, place: parseCommentRange(asked) ?? {} };
  };
  // Found again for another address only: what is noted while the page is shown is for Back.
  const [found, setFound] = useState(find);
  if (found.query === query) return found.place;
  const next = find();
  setFound(next);
  return next.place;
}

/** Loads a channel with the page of its comments at a place. */
export function useChannel(id: string, place: CommentRange) {
  const store = useStore();
  // The server has rendered the first page shown, so it is not fetched.
  const isReady = useIsReady();
  const served = useRef(isReady ? null : place);
  const [status, setStatus] = useState<LoadStatus>(isReady ? 'loading' : 'ready');
  const [attempt, setAttempt] = useState(0);
  /** What the last effect has fetched: after that, the live stream keeps it up to date. */
  const fetched = useRef('');

  // Before painting, so that Back finds the height to which the browser scrolls.
  useLayoutEffect(() => {
    store.dispatch({ type: 'PLACE_SHOWN', channelId: id, place });
  }, [id, place, store]);

  useEffect(() => {
    const turn = `${id} ${attempt}`;
    const isServed = served.current === place;
    served.current = null;
    const isFollowed = fetched.current === turn;
    fetched.current = turn;
    if (isServed) return setStatus('ready');
    const controller = new AbortController();
    const { signal } = controller;
    loadPlace({ id, place, isFollowed, onStatus: setStatus, signal }, store);
    return () => controller.abort();
  }, [id, place, attempt, store]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  return {
    status,
    retry,
    loadLater: (after: string) => loadLater(id, after, store),
    loadEarlier: (before: string) => loadEarlier(id, before, store),
  };
}
