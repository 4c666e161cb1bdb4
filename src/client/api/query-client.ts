import { notifyManager, QueryClient } from '@tanstack/react-query';
import type { Failure } from './failures.ts';

// Its own scheduler waits for a timer, which a page with a paused clock does not have.
notifyManager.setScheduler(queueMicrotask);

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Failure;
  }
}

/** The beginning of the keys of all that an account was answered. */
export const accountKey = (userId: string) => ['account', userId] as const;

/** The keys of public data that a page may be served with. */
export const publicKeys = {
  rules: ['rules'],
  channels: (order: string, after: string | null) => ['channels', order, after],
  log: (after: string | null) => ['log', after],
  person: (id: string) => ['person', id],
  personComments: (id: string, after: string | null) => ['person', id, 'comments', after],
  hits: (search: object) => ['search', search],
  searchedChannel: (id: string) => ['searched channel', id],
  searchedAuthor: (id: string) => ['searched author', id],
} as const;

/**
 * Public data are requested each time they are shown, and the former answer is shown meanwhile, for as long as it is kept: five minutes after it was shown last; a request without a
 * response is repeated when the connection returns. An account's data last as long as something shows them. A failure
 * is shown, with a button to try again.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        refetchOnReconnect: ({ state }) => state.error?.problem === null,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
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
