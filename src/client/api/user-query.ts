import {
  focusManager,
  notifyManager,
  QueryClient,
  type QueryKey,
  useQuery,
} from '@tanstack/react-query';
import { useUser } from '../state/store-provider.tsx';
import type { Call } from './call.ts';
import type { Failure, Result } from './failures.ts';
import { request } from './request.ts';

// Its own scheduler waits for a timer, which a page with a paused clock does not have.
notifyManager.setScheduler(queueMicrotask);

/** Answers last as long as something shows them. A failure is shown, with a button to try again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      retry: false,
      // A second part of a page that shows a failure must not ask again by itself.
      retryOnMount: false,
      refetchOnReconnect: false,
      refetchOnWindowFocus: false,
    },
  },
});

/** The beginning of the keys of all that an account was answered. */
export const accountKey = (userId: string) => ['account', userId] as const;

/**
 * While an account is signed in: what is to be current is asked again when the page is shown or its window
 * gets the focus. @returns a function that stops it and forgets what the account was answered
 */
export function startQueries(userId: string): () => void {
  const onFocus = () => focusManager.onFocus();
  // Listens by itself to the page being shown.
  queryClient.mount();
  addEventListener('focus', onFocus);
  return () => {
    removeEventListener('focus', onFocus);
    queryClient.unmount();
    queryClient.removeQueries({ queryKey: accountKey(userId) });
  };
}

/** The key of what an account was answered to a call. */
export const callKey = <Output>(userId: string, { path }: Call<void, Output>): QueryKey => [
  ...accountKey(userId),
  path,
];

class CallError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.problem?.code ?? 'no response');
    this.failure = failure;
  }
}

/** The value of a result. @throws `CallError` for a failure */
export function answerOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new CallError(result);
  return result.value;
}

/** The server's answer to a call of the signed-in account; for a guest, nothing is sent. */
export function useUserQuery<Output>(call: Call<void, Output>, { enabled = true } = {}) {
  const { id } = useUser();
  return useQuery<Output, CallError>(
    {
      queryKey: callKey(id, call),
      queryFn: async ({ signal }) => answerOf(await request(call, undefined, { signal })),
      enabled: enabled && id !== '',
    },
    queryClient,
  );
}
