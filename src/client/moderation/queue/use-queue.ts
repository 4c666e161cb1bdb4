import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { Decision, QueueItem, Queue as QueueList } from '../../../shared/moderation.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { useUser } from '../../state/store-provider.tsx';
import { listQueue, type QueuePage } from './queue-calls.ts';
import { counted } from './queue-texts.ts';

/** How old the list may be when the window gets the focus. */
const staleMs = 60_000;

/** The number of the case, which stays when its content changes. */
export const caseOf = ({ version }: QueueItem) => version.split('.', 1)[0] ?? version;

/** Whether its decision holds. */
export const isDecided = ({ decision }: QueueItem) => decision !== null && !decision.undoneAt;

/** What waits for a decision or for approval, or was decided, page by page. It is not asked for by itself while a form is open. */
export function useQueue(state: QueuePage['state']) {
  const { id } = useUser();
  const queryClient = useQueryClient();
  const queryKey = [...accountKey(id), 'queue', state];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: after, signal }) => request(listQueue, { state, after }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: staleMs,
    // So that Back returns to the same place, as on the home page.
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchOnWindowFocus: () => document.querySelector('main li form') === null,
  });

  const { data, error } = query;

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
                ? { ...one, decision }
                : one,
            ),
          })),
        },
    );

  const items = data?.pages.flatMap((page) => page.data);
  const first = data?.pages[0];
  const decided = items?.filter(isDecided).length ?? 0;
  return {
    ...query,
    items,
    others: data?.pages.flatMap((page) => page.others) ?? [],
    /** How many waited when the first page was read, less those that were decided here since. */
    counts: first && {
      ...first.counts,
      ...(state !== 'decided' &&
        first.counts[state] < counted && { [state]: first.counts[state] - decided }),
    },
    isOpenToSpam: first?.isOpenToSpam ?? false,
    failure: error,
    setDecision,
  };
}

/** Whether a decision about all that an author wrote is also about another item, which is no appeal. */
export const isAlsoOf = ({ action }: Decision, one: QueueItem, { author }: QueueItem): boolean =>
  action === 'hideAll' && !isDecided(one) && one.appeal === null && one.author.id === author.id;
