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
 * What anyone may see is asked for each time it is shown, and shown meanwhile as it was; what no response
 * came to is asked again when the connection returns. What an account was answered lasts as long as
 * something shows it. A failure is shown, with a button to try again.
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
