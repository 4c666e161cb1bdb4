import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type CommentRange, parseCommentRange } from '../../shared/comment-range.ts';
import { loadEarlier, loadLater } from '../comments/load-comments.ts';
import { useAnchors } from '../components/anchors.tsx';
import { useQuery } from '../router/navigation.tsx';
import { useIsReady, useStore } from '../state/store-provider.tsx';
import { type LoadStatus, loadPlace } from './load-place.ts';

/** The place in the channel that the address asks for. */
export function usePlace(): CommentRange {
  const query = useQuery();
  return useMemo(
    () => parseCommentRange(Object.fromEntries(new URLSearchParams(query))) ?? {},
    [query],
  );
}

/** Loads a channel with its comments at a place. */
export function useChannel(id: string, place: CommentRange) {
  const store = useStore();
  const anchors = useAnchors();
  const isReady = useIsReady();
  // The server has rendered the first page shown.
  const served = useRef(isReady ? null : place);
  const [status, setStatus] = useState<LoadStatus>(isReady ? 'loading' : 'ready');
  const [attempt, setAttempt] = useState(0);
  /** The load that the last effect began. Once it is done, the live stream keeps the channel up to date. */
  const loaded = useRef<{ turn: string; place: CommentRange } | null>(null);

  useLayoutEffect(() => {
    store.dispatch({ type: 'PLACE_SHOWN', channelId: id, place });
  }, [id, place, store]);

  useEffect(() => {
    const turn = `${id} ${attempt}`;
    const isServed = served.current === place;
    served.current = null;
    const isFollowed = loaded.current?.turn === turn;
    const isOpened = loaded.current?.place !== place;
    loaded.current = { turn, place };
    const controller = new AbortController();
    const { signal } = controller;
    const options = { id, place, isServed, isFollowed, isOpened, onStatus: setStatus, signal };
    loadPlace(options, store, anchors);
    return () => controller.abort();
  }, [id, place, attempt, store, anchors]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  return {
    status,
    retry,
    loadLater: (after: string) => loadLater(id, after, store),
    loadEarlier: (before: string) => loadEarlier(id, before, store, anchors),
  };
}
