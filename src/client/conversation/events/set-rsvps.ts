import type { QueryClient } from '@tanstack/react-query';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Mine } from '../../../shared/comments.ts';
import type { RsvpResult } from '../../../shared/events.ts';
import { refetchNow } from '../../api/user-query.ts';
import type { Store } from '../../state/store.ts';
import { mineKey } from '../item/own-data.ts';
import { ownRsvpsKey } from './event-calls.ts';

/** Shows the counts of dates and the user's answers as the server has them. */
export function setRsvps(
  { dispatch, getState }: Store,
  queryClient: QueryClient,
  userId: string,
  { channelId, number }: CommentKey,
  { event, mine }: RsvpResult,
): void {
  const queryKey = mineKey(userId, channelId);
  queryClient.setQueriesData<Mine>({ queryKey }, (known) => {
    if (!known) return known;
    const others = known.rsvps.filter((one) => one.number !== number);
    return { ...known, rsvps: [...others, { channelId, number, rsvps: mine }] };
  });
  // A pending response may have been computed before this change.
  const predicate = ({ state }: { state: { data: unknown } }) => state.data === undefined;
  void refetchNow(queryClient, { queryKey, predicate });
  void refetchNow(queryClient, { queryKey: ownRsvpsKey(userId) });
  const current = getState()
    .channels.get(channelId)
    ?.comments.find((one) => one.number === number);
  if (current) dispatch({ type: 'COMMENT_CHANGED', comment: { ...current, event } });
}
