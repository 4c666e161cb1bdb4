import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { accountKey } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { askAgain, useAccountAnswer } from '../api/user-query.ts';
import type { ChannelState } from '../state/state.ts';
import { listThanked } from './comment-calls.ts';

/** Ranges begin and end at multiples of this number, so that a few more comments do not ask again. */
const rangeStep = 1000;

const thankedKey = (userId: string, channelId: string) => [
  ...accountKey(userId),
  'thanked',
  channelId,
];

/**
 * Numbers of the loaded comments that the signed-in account gave thanks for: public pages are the same for
 * everyone and cannot say it.
 * @param userId null for guests
 */
export function useThanked(
  userId: string | null,
  { _id: channelId, comments }: ChannelState,
): ReadonlySet<number> {
  const [first, last] = [comments[0]?.number ?? 1, comments.at(-1)?.number ?? 1];
  const from = Math.floor((first - 1) / rangeStep) * rangeStep + 1;
  const to = Math.ceil(last / rangeStep) * rangeStep;
  const { data } = useAccountAnswer({
    queryKey: [...thankedKey(userId ?? '', channelId), from, to],
    queryFn: async ({ signal }) => {
      const options = { signal, isBackground: true };
      return (await request(listThanked, { channelId, from, to }, options)).data;
    },
    enabled: userId !== null && comments.some(({ thanks }) => thanks.count > 0),
    placeholderData: keepPreviousData,
    // An answer is never stale, so only a failure is asked for again.
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  });
  return useMemo(() => new Set(data), [data]);
}

/** Notes whether the account has given thanks for a comment. */
export function setThanked(
  queryClient: QueryClient,
  userId: string,
  { channelId, number }: Comment,
  mine: boolean,
): void {
  const queryKey = thankedKey(userId, channelId);
  queryClient.setQueriesData<number[]>({ queryKey }, (numbers) =>
    mine ? numbers?.concat(number) : numbers?.filter((one) => one !== number),
  );
  // A response that is awaited may not know of it.
  const predicate = ({ state }: { state: { data: unknown } }) => state.data === undefined;
  askAgain(queryClient, { queryKey, predicate });
}

/** The names without the first one that is `name`. */
export function withoutFirst(names: string[], name: string): string[] {
  const index = names.indexOf(name);
  return index < 0 ? names : names.toSpliced(index, 1);
}
