import type { QueryClient } from '@tanstack/react-query';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { RsvpResult } from '../../../shared/events.ts';
import { refetchNow } from '../../api/user-query.ts';
import type { Store } from '../../state/store.ts';
import { changeMine } from '../item/own-data.ts';
import { ownRsvpsKey } from './event-calls.ts';

/** Shows the counts of dates and the user's answers as the server has them. */
export function setRsvps(
  { dispatch, getState }: Store,
  queryClient: QueryClient,
  userId: string,
  { channelId, number }: CommentKey,
  { event, mine }: RsvpResult,
): void {
  changeMine(queryClient, userId, channelId, (known) => {
    const others = known.rsvps.filter((one) => one.number !== number);
    return { ...known, rsvps: [...others, { channelId, number, rsvps: mine }] };
  });
  void refetchNow(queryClient, { queryKey: ownRsvpsKey(userId) });
  const current = getState()
    .channels.get(channelId)
    ?.comments.find((one) => one.number === number);
  if (current) dispatch({ type: 'COMMENT_CHANGED', comment: { ...current, event } });
}
