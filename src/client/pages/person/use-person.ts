import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from '../../state/store-provider.tsx';
import { commentsQuery, personQuery } from './person-queries.ts';

/** A person and their comments after a cursor; null for the newest. */
export function usePerson(id: string, after: string | null) {
  const { dispatch } = useStore();
  const about = useQuery(personQuery(id));
  const comments = useInfiniteQuery({
    ...commentsQuery(id, after),
    placeholderData: keepPreviousData,
  });

  // While a query is refetched, it still has its previous error.
  const aboutError = about.isFetching ? null : about.error;
  const isFirstPage = !comments.isFetching && !comments.isFetchNextPageError;
  const code = (aboutError ?? (isFirstPage ? comments.error : null))?.code;
  const isMissing = code === 'user_not_found' || code === 'invalid_cursor';
  useEffect(() => {
    if (isMissing) {
      dispatch({ type: 'ADDRESS_MISSING', address: location.pathname + location.search });
    }
  }, [isMissing, dispatch]);

  const person = about.data?.person;
  useEffect(() => {
    if (person) dispatch({ type: 'PERSON_SHOWN', person });
  }, [person, dispatch]);

  const queries = [about, comments];
  return {
    about: about.data,
    comments,
    hasFailed: queries.some(({ isError }) => isError) && !isMissing,
    retry: () => queries.filter(({ isError }) => isError).map(({ refetch }) => refetch()),
  };
}
