import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Store } from '../state/store.ts';
import { useStore } from '../state/store-provider.tsx';
import { createQueryClient } from './query-client.ts';
import { fillQueries } from './served-queries.ts';

/** The query client of the document, made when its first part needs it. On the server each rendering has its own store. */
export function queryClientOf(store: Store): QueryClient {
  if (store.queryClient) return store.queryClient;
  const client = createQueryClient();
  fillQueries(client, store.initialState.pageData);
  store.queryClient = client;
  return client;
}

/**
 * Gives a component the query client of the document. Only parts that are loaded when they are needed are wrapped in this,
 * so that guests read a channel without the library.
 */
export function withQueries<Props extends object>(
  Component: ComponentType<Props>,
): ComponentType<Props> {
  return function WithQueries(props: Props) {
    return (
      <QueryClientProvider client={queryClientOf(useStore())}>
        <Component {...props} />
      </QueryClientProvider>
    );
  };
}
