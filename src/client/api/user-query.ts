import { focusManager, type QueryClient, type QueryKey, useQuery } from '@tanstack/react-query';
import { useUser } from '../state/store-provider.tsx';
import type { Call } from './call.ts';
import { accountKey, answerOf } from './query-client.ts';
import { request } from './request.ts';

/**
 * While an account is signed in: what is to be current is asked again when the page is shown or its window
 * gets the focus. @returns a function that stops it and forgets what the account was answered
 */
export function startQueries(userId: string, queryClient: QueryClient): () => void {
  // It listens by itself to the page being shown.
  const onFocus = () => focusManager.onFocus();
  addEventListener('focus', onFocus);
  return () => {
    removeEventListener('focus', onFocus);
    queryClient.removeQueries({ queryKey: accountKey(userId) });
  };
}

/** The key of what an account was answered to a call. */
export const callKey = <Output>(userId: string, { path }: Call<void, Output>): QueryKey => [
  ...accountKey(userId),
  path,
];

/**
 * The server's answer to a call of the signed-in account; for a guest, nothing is sent.
 * @param options `isBackground` leaves a guest on the page if the session has ended; `isCurrent` asks again when the
 * window gets the focus
 */
export function useUserQuery<Output>(
  call: Call<void, Output>,
  { enabled = true, isBackground = false, isCurrent = false } = {},
) {
  const { id } = useUser();
  return useQuery({
    queryKey: callKey(id, call),
    queryFn: async ({ signal }) =>
      answerOf(await request(call, undefined, { signal, isBackground })),
    enabled: enabled && id !== '',
    ...(isCurrent && { refetchOnWindowFocus: 'always' as const }),
  });
}
