import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useIsReady, useStore } from '../state/store-provider.tsx';
import { fetchPerson, fetchPersonComments } from './fetch-person.ts';

/** Loads a person with a page of their comments: the first, or the one after `after`. */
export function usePerson(id: string, after: string | null) {
  const { getState, dispatch } = useStore();
  const isReady = useIsReady();
  // The server has rendered the first page shown, so it is not fetched.
  const place = `${id} ${after}`;
  const served = useRef(isReady ? null : place);
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry increments `attempt` to fetch again
  useEffect(() => {
    const isServed = served.current === place;
    served.current = null;
    if (isServed) return;
    const controller = new AbortController();
    fetchPerson(id, after, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (result.ok) return dispatch({ type: 'PERSON_LOADED', content: result.value });
      const { code = '' } = result.problem ?? {};
      if (code === 'user_not_found' || code === 'invalid_cursor') {
        return dispatch({ type: 'PLACE_MISSING', place: location.pathname + location.search });
      }
      return setFailed(true);
    });
    return () => controller.abort();
  }, [id, after, place, attempt, dispatch]);

  const retry = () => {
    setFailed(false);
    setAttempt(attempt + 1);
  };

  /** Appends the next page. @returns the id of its first comment, '' without one, null on failure */
  const loadMore = async (last: string): Promise<string | null> => {
    const page = await fetchPersonComments(id, last);
    const content = getState().people.get(id);
    if (!page.ok || content?.next !== last) return null;
    const { data, next } = page.value;
    const comments = [...content.comments, ...data];
    // flushSync renders the comments now, so that the caller can focus one.
    flushSync(() => dispatch({ type: 'PERSON_LOADED', content: { ...content, comments, next } }));
    return data[0]?.comment.id ?? '';
  };

  return { hasFailed, retry, loadMore };
}
