import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Decision, QueueItem, Queue as QueueList } from '../../shared/moderation.ts';
import { accountKey, answerOf } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { useUser } from '../state/store-provider.tsx';
import { listQueue } from './moderation-calls.ts';

/** How old the list may be when the window gets the focus. */
const staleMs = 60_000;

/** The number of the case, which stays when its content changes. */
export const caseOf = ({ version }: QueueItem) => version.split('.', 1)[0] ?? version;

/** Whether its decision holds. An undone one leaves the item waiting. */
export const isDecided = ({ decision }: QueueItem) => decision !== null && !decision.undoneAt;

/** The cases that wait for a decision or were decided, page by page. It is not asked for by itself while a form is open. */
export function useQueue(state: 'open' | 'decided') {
  const { id } = useUser();
  const queryClient = useQueryClient();
  const [isWriting, setWriting] = useState(false);
  const queryKey = [...accountKey(id), 'queue', state];
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam: after, signal }) =>
      answerOf(await request(listQueue, { state, after }, { signal })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: staleMs,
    refetchOnWindowFocus: !isWriting,
  });

  /** Shows a decision at its item. */
  const setDecision = (item: QueueItem, decision: Decision) =>
    queryClient.setQueryData<InfiniteData<QueueList>>(
      queryKey,
      (shown) =>
        shown && {
          ...shown,
          pages: shown.pages.map((page) => ({
            ...page,
            data: page.data.map((one) =>
              caseOf(one) === caseOf(item) ? { ...one, decision } : one,
            ),
          })),
        },
    );

  const items = data?.pages.flatMap((page) => page.data);
  const counted = data?.pages.at(-1)?.counts.open;
  const decided = state === 'open' ? items?.filter(isDecided).length : 0;
  return {
    items,
    others: data?.pages[0]?.others ?? [],
    /** How many wait, less those that were decided here since. */
    openCount: counted && counted - (decided ?? 0),
    failure: error?.failure ?? null,
    isFetching,
    hasNextPage,
    fetchNextPage,
    refetch,
    setDecision,
    setWriting,
  };
}
