import {
  focusManager,
  type QueryClient,
  type QueryFilters,
  type QueryKey,
  queryOptions,
  useQuery,
} from '@tanstack/react-query';
import { useUser } from '../state/store-provider.tsx';
import type { Call } from './call.ts';
import { accountKey } from './query-client.ts';
import { type Arguments, request } from './request.ts';

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

/** The key of what an account was answered to a call: its address. */
export const callKey = <Input, Output>(
  userId: string,
  { path }: Call<Input, Output>,
  ...[input]: Arguments<Input>
): QueryKey => [...accountKey(userId), typeof path === 'string' ? path : path(input as Input)];

/** Asks queries again that are shown, also those that wait for an answer that may be older than what has changed. */
export async function askAgain(queryClient: QueryClient, queries: QueryFilters): Promise<void> {
  // Invalidating one would only wait for an answer that is its first.
  await queryClient.cancelQueries(queries);
  await queryClient.invalidateQueries(queries);
}

/**
 * As `useQuery`, where only the answer is read and only a signed-in account has one: the server, which renders as for
 * a guest, prepares none.
 */
export const useAccountAnswer: typeof useQuery =
  typeof document === 'undefined' ? ((() => ({})) as unknown as typeof useQuery) : useQuery;

interface UserQueryOptions {
  enabled?: boolean;
  /** Leaves a guest on the page if the session has ended. */
  isBackground?: boolean;
  /** Asks again when the window gets the focus. */
  isCurrent?: boolean;
}

/** The server's answer to a call of the signed-in account; for a guest, nothing is sent. */
export function useUserQuery<Input, Output>(
  call: Call<Input, Output>,
  ...args: Arguments<Input, UserQueryOptions>
) {
  const { id } = useUser();
  return useQuery(userQuery(id, call, ...args));
}

/** The options of a query whose answer belongs to one account. */
export function userQuery<Input, Output>(
  userId: string,
  call: Call<Input, Output>,
  ...[input, options = {}]: Arguments<Input, UserQueryOptions>
) {
  const { enabled = true, isBackground = false, isCurrent = false } = options;
  return queryOptions<Output>({
    queryKey: callKey(userId, call, ...([input] as Arguments<Input>)),
    queryFn: ({ signal }) =>
      request(call, ...([input, { signal, isBackground }] as Arguments<Input>)),
    enabled: enabled && userId !== '',
    ...(isCurrent && { refetchOnWindowFocus: 'always' }),
  });
}
