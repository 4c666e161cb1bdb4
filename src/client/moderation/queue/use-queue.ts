import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { Decision, QueueItem, Queue as QueueList } from '../../../shared/moderation.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { useUser } from '../../state/store-provider.tsx';
import { listQueue, type QueuePage } from './queue-calls.ts';
import { counted } from './queue-texts.ts';

/** Maximum age of the list when the window gets the focus. */
const staleMs = 60_000;

/** The id of the case, which does not change with its content. */
export const caseOf = ({ version }: QueueItem) => version.split('.', 1)[0] ?? version;

/** Whether the item has a decision that was not undone. */
export const isDecided = ({ decision }: QueueItem) => decision !== null && !decision.undoneAt;

/**
 * Items that await a decision or approval, or were decided, page by page. Not refetched on focus while a form is
 * open.
 */
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
    // Cached, so that Back returns to the same position, as on the home page.
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchOnWindowFocus: () => document.querySelector('main li form') === null,
  });

  const { data, error } = query;

  /** Sets a decision on its item and on the author's other items that it also decides. */
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
    /** Number of waiting items when the first page was fetched, minus those decided here since. */
    counts: first && {
      ...first.counts,
      ...(state !== 'decided' &&
        first.counts[state] < counted && { [state]: first.counts[state] - decided }),
    },
    isOpenToSpam: first?.isOpenToSpam ?? false,
    isOneAdminAlone: first?.isOneAdminAlone ?? false,
    failure: error,
    setDecision,
  };
}

/** Whether a decision to hide all of an author's content also decides another item that is not an appeal. */
export const isAlsoOf = ({ action }: Decision, one: QueueItem, { author }: QueueItem): boolean =>
  action === 'hideAll' && !isDecided(one) && one.appeal === null && one.author.id === author.id;
