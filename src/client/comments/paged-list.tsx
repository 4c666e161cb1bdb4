import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Result, refusalText } from '../api/failures.ts';
import { answerOf } from '../api/query-client.ts';
import buttons from '../components/button.module.css';
import { LoadFailure } from '../components/notice.tsx';
import { Loading } from '../components/spinner.tsx';
import { texts } from '../texts.ts';
import styles from './paged-list.module.css';

interface PagedListProps<Item> {
  queryKey: QueryKey;
  load: (
    after: string | null,
    options: { signal: AbortSignal },
  ) => Promise<Result<{ data: Item[]; next: string | null }>>;
  label: string;
  moreLabel: string;
  /** Renders an item as `li`. */
  children: (item: Item) => ReactNode;
}

/** A list about a comment, fetched page by page. */
export function PagedList<Item>({
  queryKey,
  load,
  label,
  moreLabel,
  children,
}: PagedListProps<Item>) {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => answerOf(await load(pageParam, { signal })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

  const failure = error && !isFetching && (
    <LoadFailure
      message={refusalText(error.failure)}
      onRetry={() => (data ? fetchNextPage() : refetch())}
    />
  );
  if (!data) return failure || <Loading label={texts.loading} />;
  return (
    <div className={styles.list}>
      <ul aria-label={label}>{data.pages.flatMap((page) => page.data).map(children)}</ul>
      {failure}
      {hasNextPage && !failure && (
        <button
          type="button"
          className={buttons.quiet}
          aria-disabled={isFetching || undefined}
          onClick={() => isFetching || fetchNextPage()}
        >
          {moreLabel}
        </button>
      )}
    </div>
  );
}
