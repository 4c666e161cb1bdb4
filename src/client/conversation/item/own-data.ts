import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Rsvp } from '../../../shared/events.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { useClientQuery } from '../../api/user-query.ts';
import type { ChannelState } from '../../state/state.ts';
import { getMine } from '../comment-calls.ts';

/** Ranges begin and end at multiples of this number, so that a few new comments do not cause another request. */
const rangeStep = 1000;

export const mineKey = (userId: string, channelId: string) => [
  ...accountKey(userId),
  'mine',
  channelId,
];

/** The data that only the signed-in account gets about the loaded comments, such as its thanks and its answers to dates. */
interface OwnData {
  /** Numbers of the comments that it gave thanks for. */
  thanked: ReadonlySet<number>;
  /** Its answers to dates, by the numbers of their comments. */
  rsvps: ReadonlyMap<number, readonly Rsvp[]>;
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
    enabled: comments.some(({ thanks, event }) => thanks.count > 0 || event !== null),
    placeholderData: keepPreviousData,
    // A response is never stale, so only a failed request is repeated.
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  });
  return useMemo(
    () => ({
      thanked: new Set(data?.thanks),
      rsvps: new Map(data?.rsvps.map(({ number, rsvps }) => [number, rsvps])),
    }),
    [data],
  );
}
