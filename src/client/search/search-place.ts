import type { SearchOrder } from '../../shared/search.ts';

/** What the address of the search page asks for. */
export interface SearchPlace {
  q: string;
  /** Id of the channel that is searched; undefined for all. */
  channel: string | undefined;
  sort: SearchOrder;
  /** Cursor after which the hits begin; null for the first page. */
  after: string | null;
}

/** @param place path and query */
export function readSearch(place: string): SearchPlace {
  const query = new URLSearchParams(place.slice(place.indexOf('?') + 1));
  return {
    q: query.get('q')?.trim() ?? '',
    channel: query.get('channel') || undefined,
    sort: query.get('sort') === 'relevance' ? 'relevance' : 'new',
    after: query.get('after'),
  };
}
