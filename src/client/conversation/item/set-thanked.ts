import type { QueryClient } from '@tanstack/react-query';
import type { Comment } from '../../../shared/comments.ts';
import { askAgain } from '../../api/user-query.ts';
import { thankedKey } from './thanked.ts';

/** Records whether the account has given thanks for a comment. */
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
  // A pending response may have been computed before this change.
  const predicate = ({ state }: { state: { data: unknown } }) => state.data === undefined;
  void askAgain(queryClient, { queryKey, predicate });
}
