import { notifyManager, QueryClient } from '@tanstack/react-query';
import type { Failure } from './failures.ts';

// The default scheduler waits for a timer, which never fires on a page with a paused clock.
notifyManager.setScheduler(queueMicrotask);

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Failure;
  }
}

/** Prefix of the query keys of responses that belong to an account. */
export const accountKey = (userId: string) => ['account', userId] as const;

/** Prefix of the query keys of an account's news: each page asks for those of its channels. */
export const newsKey = (userId: string) => [...accountKey(userId), 'news'] as const;

/** Query keys of the public data that the server may embed in a page. */
export const publicKeys = {
  rules: ['rules'],
  channels: (order: string, after: string | null) => ['channels', order, after],
  documents: (list: { q: string; channel: string | undefined; after: string | null }) =>
    ['documents', list] as const,
  calendar: (from: string | null, after: string | null) => ['calendar', from, after],
  log: (after: string | null) => ['log', after],
  person: (id: string) => ['person', id],
  personComments: (id: string, after: string | null) => ['person', id, 'comments', after],
  hits: (search: object) => ['search', search],
  searchedChannel: (id: string) => ['searched channel', id],
  searchedAuthor: (id: string) => ['searched author', id],
} as const;

/** The time of data that came with the page, which the first rendering takes for fresh. */
export const servedAt = 0;

/**
 * Public data is fetched each time it is shown. Until the response arrives, the previous one is shown if it is still
 * cached: for five minutes after it was last on the page; data that came with the page is shown without asking. A request without a response is repeated when the
 * connection returns. An account's data is cached only while a component uses it, and fetched again when the page is
 * seen again or gets the focus, as an app may have been left open for days. A failure is shown with a retry button.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: ({ state }) => (state.dataUpdatedAt === servedAt ? Number.POSITIVE_INFINITY : 0),
        refetchOnReconnect: ({ state }) => state.error?.problem === null,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
  client.setQueryDefaults(['account'], {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // A second component that shows a failed query must not retry it by itself.
    retryOnMount: false,
    refetchOnWindowFocus: 'always',
  });
  return client;
}
