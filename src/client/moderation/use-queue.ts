import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { Decision, QueueItem, Queue as QueueList } from '../../shared/moderation.ts';
import { accountKey, answerOf } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { useUser } from '../state/store-provider.tsx';
import { listQueue, type QueuePage } from './moderation-calls.ts';

/** How old the list may be when the window gets the focus. */
const staleMs = 60_000;

/** The number of the case, which stays when its content changes. */
export const caseOf = ({ version }: QueueItem) => version.split('.', 1)[0] ?? version;

/** Whether its text has changed since it was written. */
export const isEdited = ({ version }: QueueItem) => Number(version.split('.')[1]) > 1;

/** Whether its decision holds. An undone one leaves the item waiting. */
export const isDecided = ({ decision }: QueueItem) => decision !== null && !decision.undoneAt;

/** The cases that wait for a decision or for approval, or were decided, page by page. They are not asked for by themselves while a form is open. */
export function useQueue(state: QueuePage['state']) {
  const { id } = useUser();
  const queryClient = useQueryClient();
  const queryKey = [...accountKey(id), 'queue', state];
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam: after, signal }) =>
      answerOf(await request(listQueue, { state, after }, { signal })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: staleMs,
    refetchOnWindowFocus: () => document.querySelector('main li form') === null,
  });

  /** Shows a decision at its item and, as far as it concerns them, at what else its author wrote. */
  const setDecision = (item: QueueItem, decision: Decision) =>
    queryClient.setQueryData<InfiniteData<QueueList>>(
      queryKey,
      (shown) =>
        shown && {
          ...shown,
          pages: shown.pages.map((page) => ({
            ...page,
            data: page.data.map((one) =>
              caseOf(one) === caseOf(item) || isAlsoOf(decision, one, item)
                ? { ...one, decision, state: stateAfter(decision, one) }
                : one,
            ),
          })),
        },
    );

  const items = data?.pages.flatMap((page) => page.data);
  const last = data?.pages.at(-1);
  const decided = items?.filter(isDecided).length ?? 0;
  return {
    items,
    others: data?.pages.flatMap((page) => page.others) ?? [],
    /** How many wait, less those that were decided here since. */
    counts: last && {
      ...last.counts,
      ...(state !== 'decided' && { [state]: last.counts[state] - decided }),
    },
    isOpenToSpam: last?.isOpenToSpam ?? false,
    failure: error?.failure ?? null,
    isFetching,
    hasNextPage,
    fetchNextPage,
    refetch,
    setDecision,
  };
}

/** Whether the content of an item is seen once a decision about it was made or undone. */
function stateAfter({ action, undoneAt }: Decision, { state, appeal }: QueueItem) {
  if (state !== 'visible' && state !== 'hidden') return state;
  const isHiding = action === 'hide' || action === 'hideAll';
  const isRelease = action === 'release' && appeal?.decision.action === 'hideAll';
  if (!isHiding && !isRelease && action !== 'restore') return state;
  return isHiding === !undoneAt ? 'hidden' : 'visible';
}

/** Whether a decision about all that an author wrote is also about another item, which is no appeal. */
export function isAlsoOf({ id, action }: Decision, one: QueueItem, { author }: QueueItem): boolean {
  if (one.decision && !one.decision.undoneAt) return one.decision.id === id;
  return action === 'hideAll' && one.appeal === null && one.author.id === author.id;
}
