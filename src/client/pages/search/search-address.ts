import type { SearchOrder } from '../../../shared/search.ts';

export interface Search {
  q: string;
  /** Id of the channel to search; undefined for all. */
  channel: string | undefined;
  /** Id of the person whose comments are searched; undefined for everyone. */
  author: string | undefined;
  /** Whether to search only for the words exactly as typed. */
  isExact: boolean;
  sort: SearchOrder;
  /** Cursor at which the hits begin; null for the first page. */
  after: string | null;
}

/** @param address path and query */
export function readSearch(address: string): Search {
  const query = new URLSearchParams(address.slice(address.indexOf('?') + 1));
  return {
    q: query.get('q')?.trim() ?? '',
    channel: query.get('channel') || undefined,
    author: query.get('author') || undefined,
    isExact: query.get('exact') === '1',
    sort: query.get('sort') === 'relevance' ? 'relevance' : 'new',
    after: query.get('after'),
  };
}
