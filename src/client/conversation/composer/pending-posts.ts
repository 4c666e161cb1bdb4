import type { QueryClient } from '@tanstack/react-query';
import type { PendingList, PendingPost } from '../../../shared/pending.ts';
import { askAgain, callKey, useAccountAnswer, userQuery } from '../../api/user-query.ts';
import { useUser } from '../../state/store-provider.tsx';
import { listPendingPosts } from '../comment-calls.ts';

/** Whether a sent post awaits a moderator instead of being published. */
export const isPendingPost = (sent: object): sent is PendingPost => 'state' in sent;

/** Whether the account's next post waits for review because it is the first; false until the server has answered. */
export function useReviewsNext(): boolean {
  const { id } = useUser();
  const options = { isBackground: true };
  return (
    useAccountAnswer(userQuery(id, listPendingPosts, undefined, options)).data?.reviewsNext ?? false
  );
}

export const askPendingAgain = (queryClient: QueryClient, userId: string): Promise<void> =>
  askAgain(queryClient, { queryKey: callKey(userId, listPendingPosts) });

/** Refetches the pending items unless there are none: one of them may have been published. */
export function refreshPending(queryClient: QueryClient, userId: string): void {
  const shown = queryClient.getQueryData<PendingList>(callKey(userId, listPendingPosts));
  if (shown?.data.length !== 0) void askPendingAgain(queryClient, userId);
}
