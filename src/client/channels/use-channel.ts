import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '../api/api.ts';
import { useIsReady, useStore } from '../state/store-provider.tsx';
import { fetchChannel } from './fetch-channel.ts';

/** Loads a channel with a page of its comments: the first, or the one after `after`. */
export function useChannel(id: string, after: string | null) {
  const { dispatch } = useStore();
  const isReady = useIsReady();
  // What came with the page from the server need not be fetched.
  const place = `${id} ${after}`;
  const served = useRef(isReady ? null : place);
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>(
    isReady ? 'loading' : 'ready',
  );
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another fetch
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

  /** Appends the comments after the given one; answers the first one's id, null when it failed. */
  const loadMore = async (last: string): Promise<string | null> => {
    const result = await api.listComments(id, last);
    if (!result.ok) return null;
    const { data, next } = result.value;
    // In the page once this returns, so that the caller can focus it.
    flushSync(() =>
      dispatch({ type: 'COMMENTS_LISTED', channelId: id, after: last, comments: data, next }),
    );
    return data[0]?.id ?? '';
  };

  return { status, retry, loadMore };
}
