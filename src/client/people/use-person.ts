import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServedPage, useStore } from '../state/store-provider.tsx';
import { commentsQuery, personQuery } from './person-queries.ts';

/** A person and their comments from a cursor on; null for the newest. */
export function usePerson(id: string, after: string | null) {
  const { dispatch } = useStore();
  const served = useServedPage('user');
  const about = useQuery({
    ...personQuery(id),
    initialData: () => served && { person: served.person, channels: served.channels },
    refetchOnMount: !served,
  });
  const comments = useInfiniteQuery({
    ...commentsQuery(id, after),
    initialData: () =>
      served && {
        pages: [{ data: served.comments, next: served.next }],
        // The server renders without the cursor of the address.
        pageParams: [served.isFirstPage ? null : (after ?? '')],
      },
    refetchOnMount: !served,
    placeholderData: keepPreviousData,
  });

  // While a query is asked again, it still has its former error.
  const aboutError = about.isFetching ? null : about.error;
  const isFirstPage = !comments.isFetching && !comments.isFetchNextPageError;
  const code = (aboutError ?? (isFirstPage ? comments.error : null))?.code;
  const isMissing = code === 'user_not_found' || code === 'invalid_cursor';
  useEffect(() => {
    if (isMissing) {
      dispatch({ type: 'ADDRESS_MISSING', address: location.pathname + location.search });
    }
  }, [isMissing, dispatch]);

  const queries = [about, comments];
  return {
    about: about.data,
    comments,
    hasFailed: queries.some(({ isError }) => isError) && !isMissing,
    retry: () => queries.filter(({ isError }) => isError).map(({ refetch }) => refetch()),
  };
}
