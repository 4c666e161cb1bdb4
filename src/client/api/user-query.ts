import {
  type QueryClient,
  type QueryFilters,
  type QueryKey,
  queryOptions,
  useQuery,
} from '@tanstack/react-query';
import { useUser } from '../state/store-provider.tsx';
import type { Call } from './call.ts';
import { accountKey, newsKey } from './query-client.ts';
import { type Arguments, request } from './request.ts';

/** Query key of an account's response to a call, made of the call's address. */
export const callKey = <Input, Output>(
  userId: string,
  { path }: Call<Input, Output>,
  ...[input]: Arguments<Input>
): QueryKey => [...accountKey(userId), typeof path === 'string' ? path : path(input as Input)];

/** Refetches queries in use, including pending ones, whose response may predate a change. */
export async function refetchNow(queryClient: QueryClient, queries: QueryFilters): Promise<void> {
  // Invalidating a query whose first response is pending would wait for that response instead of sending a new request.
  await queryClient.cancelQueries(queries);
  await queryClient.invalidateQueries(queries);
}

/**
 * Refetches the news, and the response to a call if it is in use: one that is made only while the news say that there is
 * something to ask for.
 */
export async function refetchWithNews<Output>(
  queryClient: QueryClient,
  userId: string,
  call: Call<void, Output>,
): Promise<void> {
  const keys = [newsKey(userId), callKey(userId, call)];
  await Promise.all(keys.map((queryKey) => refetchNow(queryClient, { queryKey })));
}

/**
 * `useQuery` for account data, where only the response is read. The server renders as a guest and prepares no query.
 */
export const useClientQuery: typeof useQuery =
  typeof document === 'undefined' ? ((() => ({})) as unknown as typeof useQuery) : useQuery;

interface UserQueryOptions {
  enabled?: boolean;
  /** If the session has ended, the user stays on the page as a guest. */
  isBackground?: boolean;
  /** Is not fetched again when the page is seen again: somebody decides about what it shows, or asking has an effect. */
  isKept?: boolean;
}

/** The response to a call of the signed-in account. Guests send no request. */
export function useUserQuery<Input, Output>(
  call: Call<Input, Output>,
  ...args: Arguments<Input, UserQueryOptions>
) {
  const { id } = useUser();
  return useQuery(userQuery(id, call, ...args));
}

/** Options of a query whose response belongs to one account. */
export function userQuery<Input, Output>(
  userId: string,
  call: Call<Input, Output>,
  ...[input, options = {}]: Arguments<Input, UserQueryOptions>
) {
  const { enabled = true, isBackground = false, isKept = false } = options;
  return queryOptions<Output>({
    queryKey: callKey(userId, call, ...([input] as Arguments<Input>)),
    queryFn: ({ signal }) =>
      request(call, ...([input, { signal, isBackground }] as Arguments<Input>)),
    enabled: enabled && userId !== '',
    ...(isKept && { refetchOnWindowFocus: false }),
  });
}
