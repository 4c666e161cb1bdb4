import type { ReactNode } from 'react';
import type { Failure } from '../api/failures.ts';
import { texts } from '../texts.ts';
import { LoadFailure } from './notice.tsx';
import { Loading } from './spinner.tsx';

interface LoadedProps<Data> {
  query: {
    data: Data | undefined;
    error: { failure: Failure } | null;
    refetch: () => unknown;
  };
  /** The message of a failure. */
  failedText: string | ((failure: Failure) => string);
  children: (data: Data) => ReactNode;
}

/** The answer of a query. Until it is there, says that it loads, or that it failed, with a button to try again. */
export function Loaded<Data>({ query, failedText, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  return (
    <>
      {error && (
        <LoadFailure
          message={typeof failedText === 'string' ? failedText : failedText(error.failure)}
          onRetry={() => refetch()}
        />
      )}
      {data === undefined && !error && <Loading label={texts.loading} />}
      {data !== undefined && children(data)}
    </>
  );
}
