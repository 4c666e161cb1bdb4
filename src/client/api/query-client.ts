import { notifyManager, QueryClient } from '@tanstack/react-query';
import type { Failure, Result } from './failures.ts';

// Its own scheduler waits for a timer, which a page with a paused clock does not have.
notifyManager.setScheduler(queueMicrotask);

/** Why a query has no answer. */
class CallError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.problem?.code ?? 'no response');
    this.failure = failure;
  }
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallError;
  }
}

/** The value of a result. @throws `CallError` for a failure */
export function answerOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new CallError(result);
  return result.value;
}

/** The beginning of the keys of all that an account was answered. */
export const accountKey = (userId: string) => ['account', userId] as const;

/**
 * Public data are requested each time they are shown, and the former answer is shown meanwhile; a request without a
 * response is repeated when the connection returns. An account's data last as long as something shows them. A failure
 * is shown, with a button to try again.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        gcTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnReconnect: ({ state }) => state.error?.failure.problem === null,
        refetchOnWindowFocus: false,
      },
    },
  });
  client.setQueryDefaults(['account'], {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // A second part of a page that shows a failure must not ask again by itself.
    retryOnMount: false,
    refetchOnReconnect: false,
  });
  return client;
}
