import type { QueryClient } from '@tanstack/react-query';
import type { Comment, Mine } from '../../../shared/comments.ts';
import { refetchNow } from '../../api/user-query.ts';
import { mineKey } from './own-data.ts';

/** Records whether the account has given thanks for a comment. */
export function setThanked(
  queryClient: QueryClient,
  userId: string,
  { channelId, number }: Comment,
  mine: boolean,
): void {
  const queryKey = mineKey(userId, channelId);
  queryClient.setQueriesData<Mine>({ queryKey }, (known) => {
    if (!known) return known;
    const others = known.thanks.filter((one) => one !== number);
    return { ...known, thanks: mine ? [...others, number] : others };
  });
  // A pending response may have been computed before this change.
  const predicate = ({ state }: { state: { data: unknown } }) => state.data === undefined;
  void refetchNow(queryClient, { queryKey, predicate });
}
