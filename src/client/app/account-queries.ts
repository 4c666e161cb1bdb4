import { focusManager, type QueryClient } from '@tanstack/react-query';
import { accountKey } from '../api/query-client.ts';
import { currentUserId } from '../storage/session.ts';

/**
 * While an account is signed in, refetches its queries also when the window gets the focus, not only when the page is
 * shown. @returns a function that ends this and discards the account's responses
 */
export function startQueries(userId: string, queryClient: QueryClient): () => void {
  focusManager.setEventListener((refetch) => {
    // A page from the back-forward cache may be shown after its user has signed out.
    const onSeen = () => currentUserId() === userId && refetch();
    for (const event of ['visibilitychange', 'focus']) addEventListener(event, onSeen);
    return () => {
      for (const event of ['visibilitychange', 'focus']) removeEventListener(event, onSeen);
    };
  });
  return () => {
    focusManager.setEventListener(() => undefined);
    queryClient.removeQueries({ queryKey: accountKey(userId) });
  };
}
