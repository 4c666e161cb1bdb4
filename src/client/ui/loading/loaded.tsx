import type { ReactNode } from 'react';
import type { Failure } from '../../api/failures.ts';
import { LoadFailure } from '../notice.tsx';
import { texts } from '../texts.ts';
import { Loading } from './spinner.tsx';

interface LoadedProps<Data> {
  query: {
    data: Data | undefined;
    error: Failure | null;
    /** True when only the next page of a list failed, which `Paged` reports. */
    isFetchNextPageError?: boolean;
    refetch: () => unknown;
  };
  children: (data: Data) => ReactNode;
}

/** The result of a query. Until it arrives, shows that it is loading or why it failed, with a retry button. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, isFetchNextPageError = false, refetch } = query;
  const error = isFetchNextPageError ? null : query.error;
  return (
    <>
      {error && <LoadFailure message={error.text} onRetry={() => refetch()} />}
      {data === undefined && !error && <Loading label={texts.loading} />}
      {data !== undefined && children(data)}
    </>
  );
}
