import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type CommentPlace, parsePlace } from '../../shared/comment-place.ts';
import { commentAnchor } from '../../shared/routes.ts';
import { api } from '../api/api.ts';
import { keepInPlace, keepReading } from '../components/keep-in-place.ts';
import { useQuery } from '../router/navigation.tsx';
import { useIsReady, useStore } from '../state/store-provider.tsx';
import { hasPlace } from '../state/window-places.ts';
import { fetchChannel, refetchWindow } from './fetch-channel.ts';

/** The place in the channel that the address asks for. */
export function usePlace(): CommentPlace {
  const query = useQuery();
  return useMemo(() => parsePlace(Object.fromEntries(new URLSearchParams(query))) ?? {}, [query]);
}

/** Loads a channel with the page of its comments at a place. */
export function useChannel(id: string, place: CommentPlace) {
  const { getState, dispatch } = useStore();
  // The server has rendered the first page shown, so it is not fetched.
  const isReady = useIsReady();
  const served = useRef(isReady ? null : place);
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>(
    isReady ? 'loading' : 'ready',
  );
  const [attempt, setAttempt] = useState(0);
  /** What the last effect has fetched: after that, the live stream keeps it up to date. */
  const fetched = useRef('');

  // Before painting, so that Back finds the height to which the browser scrolls.
  useLayoutEffect(() => {
    dispatch({ type: 'PLACE_SHOWN', channelId: id, place });
  }, [id, place, dispatch]);

  useEffect(() => {
    const turn = `${id} ${attempt}`;
    const channel = getState().channels.get(id);
    const isServed = served.current === place;
    served.current = null;
    const isStale = channel?.isStale && channel.place === place && channel.comments.length > 0;
    const isCurrent = !isStale && fetched.current === turn && channel && hasPlace(channel, place);
    fetched.current = turn;
    if (isServed || isCurrent) return setStatus('ready');
    setStatus('loading');
    const controller = new AbortController();
    const { signal } = controller;
    const fetching = isStale ? refetchWindow(channel, signal) : fetchChannel(id, place, signal);
    fetching.then((result) => {
      if (signal.aborted) return;
      if ('type' in result) {
        if (isStale) keepReading(() => dispatch(result));
        else dispatch(result);
        return setStatus('ready');
      }
      if (result.problem?.status === 404)
        return dispatch({ type: 'CHANNEL_MISSING', channelId: id });
      return setStatus('failed');
    });
    return () => controller.abort();
  }, [id, place, attempt, getState, dispatch]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  /** Appends the page after a cursor. @returns the number of its first comment, 0 without one, null on failure */
  const loadLater = async (after: string): Promise<number | null> => {
    const result = await api.listComments(id, { after });
    if (!result.ok) return null;
    // flushSync renders the comments now, so that the caller can focus one.
    flushSync(() => dispatch({ type: 'COMMENTS_LISTED', channelId: id, after, ...result.value }));
    return result.value.data[0]?.number ?? 0;
  };

  /** Prepends the page before a cursor. @returns the number of its last comment, 0 without one, null on failure */
  const loadEarlier = async (before: string): Promise<number | null> => {
    const result = await api.listComments(id, { before });
    if (!result.ok) return null;
    const first = getState().channels.get(id)?.comments[0]?.number ?? 0;
    keepInPlace(document.getElementById(commentAnchor(first)), () =>
      dispatch({ type: 'EARLIER_LISTED', channelId: id, before, ...result.value }),
    );
    return result.value.data.at(-1)?.number ?? 0;
  };

  return { status, retry, loadLater, loadEarlier };
}
