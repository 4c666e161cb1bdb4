import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { limits } from '../../../shared/limits.ts';
import type { SearchContent } from '../../../shared/page-data.ts';
import { withQuery } from '../../../shared/routes.ts';
import type { SearchResults } from '../../../shared/search.ts';
import { defineCall } from '../../api/call.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { publicKeys } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { getChannel } from '../../conversation/channel-calls.ts';
import type { Search } from './search-address.ts';

interface SentSearch extends Search {
  /** Whether the last word may still be incomplete. */
  isTyping: boolean;
}

/** The accent that a dead key inserts until its letter is typed. */
const deadKey = /[´`^¨~]$/;

const findHits = defineCall<SentSearch, SearchResults>(
  'GET',
  ({ q, channel, author, isExact, sort, after, isTyping }) =>
    withQuery(apiRoutes.search, {
      q: isTyping ? q.replace(deadKey, '') : q,
      channel,
      author,
      sort: sort === 'new' ? null : sort,
      after,
      typing: isTyping ? 1 : null,
      exact: isExact ? 1 : null,
      limit: limits.hitsPerPage,
    }),
);

/** Pages of results, or a hint instead of the first page when the words cannot be searched. */
export const hitsQuery = (search: SentSearch) =>
  infiniteQueryOptions({
    queryKey: publicKeys.hits(search),
    queryFn: async ({ pageParam, signal }): Promise<Pick<SearchContent, 'results' | 'hint'>> => {
      const isTyping = search.isTyping && pageParam.q === search.q;
      const results = await orFailure(
        request(findHits, { ...search, ...pageParam, isTyping }, { signal }),
      );
      const hasFailed = results instanceof Failure;
      const hint = hasFailed ? results.errorOf('q') : findNextStep(search, results);
      if (hint) return { results: null, hint };
      if (hasFailed) throw results;
      return { results, hint: null };
    },
    initialPageParam: { q: search.q, after: search.after },
    // After a correction, the next pages are for the corrected words.
    getNextPageParam: ({ results }, _pages, { q }) =>
      results?.next ? { q: results.searched ?? q, after: results.next } : null,
  });

/** A last word of fewer than three letters, which the server treats as complete. */
const begunWord = /(?:^|[^\p{L}\p{N}])[\p{L}\p{N}]{1,2}$/u;

/** A hint to continue typing, when an incomplete last word has no results. */
function findNextStep({ q, isTyping }: SentSearch, results: SearchResults): string | null {
  const { data, people, channels, next } = results;
  const isFound = data.length + people.length + channels.length > 0 || next !== null;
  return isTyping && !isFound && begunWord.test(q)
    ? 'Sigue escribiendo: una palabra a medias se busca desde la tercera letra.'
    : null;
}

const getAuthor = defineCall<string, { id: string; name: string }>('GET', apiRoutes.user);

export const authorQuery = (id: string) =>
  queryOptions({
    queryKey: publicKeys.searchedAuthor(id),
    queryFn: ({ signal }): Promise<{ id: string; name: string | null }> =>
      request(getAuthor, id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: publicKeys.searchedChannel(id),
    queryFn: async ({ signal }) => {
      const { _id, name } = await request(getChannel, { id, comments: 0 }, { signal });
      return { _id, name };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
