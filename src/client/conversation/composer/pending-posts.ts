import type { QueryClient } from '@tanstack/react-query';
import type { PendingPost } from '../../../shared/pending.ts';
import { refetchWithNews, useUserQuery } from '../../api/user-query.ts';
import { useAppState } from '../../state/store-provider.tsx';
import { accountTexts } from '../../ui/account-texts.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { listPendingPosts } from '../comment-calls.ts';

/** Whether a sent post awaits a moderator instead of being published. */
export const isPendingPost = (sent: object): sent is PendingPost => 'state' in sent;

/** The account's posts that await a moderator or were rejected. They are asked for only while the news say that there are any. */
export function usePendingPosts(): PendingPost[] {
  const hasPending = useAppState((state) => state.hasPending);
  const options = { enabled: hasPending, isBackground: true };
  const { data } = useUserQuery(listPendingPosts, undefined, options);
  return hasPending && data ? data.data : [];
}

/** Tells that a post waits for a moderator, and asks for the list that now has it. */
export function tellPending(queryClient: QueryClient, userId: string): void {
  void refetchPendingPosts(queryClient, userId);
  showStatus({ text: accountTexts.pending });
}

export const refetchPendingPosts = (queryClient: QueryClient, userId: string): Promise<void> =>
  refetchWithNews(queryClient, userId, listPendingPosts);
