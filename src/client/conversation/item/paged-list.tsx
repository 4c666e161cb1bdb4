import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Paged } from '../../ui/loading/more-link.tsx';
import styles from './paged-list.module.css';

interface PagedListProps<Item> {
  queryKey: QueryKey;
  load: (
    after: string | null,
    options: { signal: AbortSignal },
  ) => Promise<{ data: Item[]; next: string | null }>;
  label: string;
  href: string;
  moreLabel: string;
  /** Renders an item as `li`. */
  children: (item: Item) => ReactNode;
}

/** A list that belongs to a comment, fetched page by page. */
export function PagedList<Item>({
  queryKey,
  load,
  label,
  href,
  moreLabel,
  children,
}: PagedListProps<Item>) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <div className={`quoted stack ${styles.list}`}>
          <ul aria-label={label}>{pages.flatMap((page) => page.data).map(children)}</ul>
          <Paged query={query} href={href} label={moreLabel} />
        </div>
      )}
    </Loaded>
  );
}
