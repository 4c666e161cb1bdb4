import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Mine } from '../../../shared/comments.ts';
import type { Rsvp } from '../../../shared/events.ts';
import type { CommentVote } from '../../../shared/polls.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { refetchNow, useClientQuery } from '../../api/user-query.ts';
import type { ChannelState } from '../../state/state.ts';
import { getMine } from '../comment-calls.ts';

/** Ranges begin and end at multiples of this number, so that a few new comments do not cause another request. */
const rangeStep = 1000;

export const mineKey = (userId: string, channelId: string) => [
  ...accountKey(userId),
  'mine',
  channelId,
];

/** Records a change that the account has made to what only it gets about the comments of a channel. */
export function changeMine(
  queryClient: QueryClient,
  userId: string,
  channelId: string,
  change: (known: Mine) => Mine,
): void {
  const queryKey = mineKey(userId, channelId);
  queryClient.setQueriesData<Mine>({ queryKey }, (known) => known && change(known));
  // A pending response may have been computed before this change.
  const predicate = ({ state }: { state: { data: unknown } }) => state.data === undefined;
  void refetchNow(queryClient, { queryKey, predicate });
}

/** The data that only the signed-in account gets about the loaded comments: its thanks, its answers to dates, its votes. */
interface OwnData {
  /** Numbers of the comments that it gave thanks for. */
  thanked: ReadonlySet<number>;
  /** Its answers to dates, by the numbers of their comments. */
  rsvps: ReadonlyMap<number, readonly Rsvp[]>;
  /** Its votes, by the numbers of their comments; null while they are not known. */
  votes: ReadonlyMap<number, CommentVote> | null;
}

/** Reads what public pages cannot contain, since they are the same for everyone. */
export function useOwnData(userId: string, { _id: channelId, comments }: ChannelState): OwnData {
  const [first, last] = [comments[0]?.number ?? 1, comments.at(-1)?.number ?? 1];
  const from = Math.floor((first - 1) / rangeStep) * rangeStep + 1;
  const to = Math.ceil(last / rangeStep) * rangeStep;
  const { data } = useClientQuery({
    queryKey: [...mineKey(userId, channelId), from, to],
    queryFn: ({ signal }) => {
      const options = { signal, isBackground: true };
      return request(getMine, { channelId, from, to }, options);
    },
    enabled: comments.some(({ thanks, event, poll }) => thanks.count > 0 || event || poll),
    placeholderData: keepPreviousData,
    // A response is never stale, so only a failed request is repeated.
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  });
  return useMemo(
    () => ({
      thanked: new Set(data?.thanks),
      rsvps: new Map(data?.rsvps.map(({ number, rsvps }) => [number, rsvps])),
      votes: data ? new Map(data.votes.map((vote) => [vote.number, vote])) : null,
    }),
    [data],
  );
}
