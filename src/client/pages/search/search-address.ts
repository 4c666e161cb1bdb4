import type { SearchOrder } from '../../../shared/search.ts';

/** The search that the address of the search page names. */
export interface Search {
  q: string;
  /** Id of the channel that is searched; undefined for all. */
  channel: string | undefined;
  /** Id of the person whose comments are searched; undefined for all. */
  author: string | undefined;
  /** Whether only the words as they are written are searched for. */
  isExact: boolean;
  sort: SearchOrder;
  /** Cursor after which the hits begin; null for the first page. */
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
