import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '../api/api.ts';
import { useIsReady, useStore } from '../state/store-provider.tsx';
import { fetchChannel } from './fetch-channel.ts';

/** Loads a channel with a page of its comments: the first, or the one after `after`. */
export function useChannel(id: string, after: string | null) {
  const { dispatch } = useStore();
  const isReady = useIsReady();
  // The server has rendered the first page shown, so it is not fetched.
  const place = `${id} ${after}`;
  const served = useRef(isReady ? null : place);
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>(
    isReady ? 'loading' : 'ready',
  );
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry increments `attempt` to fetch again
  useEffect(() => {
    const isServed = served.current === place;
    served.current = null;
    if (isServed) return;
    setStatus('loading');
    const controller = new AbortController();
    fetchChannel(id, after, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if ('type' in result) {
        dispatch(result);
        return setStatus('ready');
      }
      if (result.problem?.status === 404)
        return dispatch({ type: 'CHANNEL_MISSING', channelId: id });
      return setStatus('failed');
    });
    return () => controller.abort();
  }, [id, after, place, attempt, dispatch]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  /** Appends the next page. @returns the id of its first comment, '' without one, null on failure */
  const loadMore = async (last: string): Promise<string | null> => {
    const result = await api.listComments(id, last);
    if (!result.ok) return null;
    const { data, next } = result.value;
    // flushSync renders the comments now, so that the caller can focus one.
    flushSync(() =>
      dispatch({ type: 'COMMENTS_LISTED', channelId: id, after: last, comments: data, next }),
    );
    return data[0]?.id ?? '';
  };

  return { status, retry, loadMore };
}
