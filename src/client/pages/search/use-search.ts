import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { SearchContent } from '../../../shared/page-data.ts';
import { useEntryState } from '../../router/entry-state.ts';
import { useAddress } from '../../router/navigation.tsx';
import { useAppState, useStore } from '../../state/store-provider.tsx';
import { readSearch, type Search } from './search-address.ts';
import { authorQuery, channelQuery, hitsQuery } from './search-queries.ts';

/** `results` is null when the words cannot be searched; `hint` says why. */
type SearchPart = Pick<SearchContent, 'results' | 'hint'>;

/**
 * The search for the typed text or, without any, the search in the address. Previous results are kept until the new
 * ones arrive.
 */
export function useSearch() {
  const { dispatch } = useStore();
  const address = useAddress();
  const typed = useEntryState((state) => state.typed);
  const isTyping = typed !== undefined;
  const search: Search = {
    ...readSearch(address),
    ...(isTyping && { q: typed, isExact: false, after: null }),
  };
  const { q, channel: channelId = '', author: authorId = '' } = search;

  const known = useAppState(({ channels }) => channels.get(channelId));
  const lookup = useQuery({
    ...channelQuery(channelId),
    enabled: channelId !== '' && !known,
  });
  const channel = known ?? lookup.data;
  const authorLookup = useQuery({
    ...authorQuery(authorId),
    enabled: authorId !== '',
  });
  const author = authorLookup.data;

  const hits = useInfiniteQuery({
    ...hitsQuery({ ...search, isTyping }),
    enabled: q !== '',
  });

  const error =
    (hits.isFetchNextPageError ? null : hits.error) ??
    (channel ? null : lookup.error) ??
    authorLookup.error;
  const code = error?.code;
  // The channel existed when the search was opened, so the page and the typed text stay.
  const isChannelGone = code === 'channel_not_found' && channel !== undefined;
  const isAuthorGone = code === 'user_not_found' || author?.name === null;
  const isMissing = code === 'invalid_cursor' || (code === 'channel_not_found' && !channel);
  useEffect(() => {
    if (isMissing) dispatch({ type: 'ADDRESS_MISSING', address });
  }, [isMissing, address, dispatch]);

  const answer = useMemo(() => hits.data && joinPages(hits.data), [hits.data]);
  const gone = (isAuthorGone && authorGone) || (isChannelGone && channelGone);
  const found = gone || answer;
  const [shown, setShown] = useState(found);
  if (found && found !== shown) setShown(found);

  const retry = () => {
    if (q) void hits.refetch();
    for (const one of [lookup, authorLookup]) if (one.isError) void one.refetch();
  };
  return {
    search,
    channel,
    author,
    ...((q || isAuthorGone) && shown ? shown : nothing),
    isLoading: q !== '' && found === undefined && error === null,
    /** Why the results are not current; null without an error. */
    failure: error && !gone ? error.text : null,
    retry,
    query: hits,
  };
}

const nothing: SearchPart = { results: null, hint: null };
const authorGone: SearchPart = {
  ...nothing,
  hint: 'Esa persona no existe o ya no está. Busca en los comentarios de todos.',
};
const channelGone: SearchPart = {
  ...nothing,
  hint: 'Este canal ya no está. Busca en todos los canales.',
};

function joinPages({ pages }: InfiniteData<SearchPart>): SearchPart {
  const [{ results = null, hint = null } = {}] = pages;
  const all = pages.flatMap((page) => page.results?.data ?? []);
  // A comment edited between two requests may be on both pages, as two kinds of match.
  const data = [...new Map(all.map((hit) => [hit.comment.id, hit])).values()];
  const next = pages.at(-1)?.results?.next ?? null;
  const isComplete = pages.every((page) => page.results?.isComplete !== false);
  return { results: results && { ...results, data, next, isComplete }, hint };
}
