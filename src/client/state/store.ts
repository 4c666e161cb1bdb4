import type { QueryClient } from '@tanstack/react-query';
import type { Dispatch } from 'react';
import type { Site } from '../../shared/page-data.ts';
import type { Action } from './actions.ts';
import { reduce } from './reducer.ts';
import type { AppState } from './state.ts';

export interface Store {
  /** Replaced when this page changes the settings of the site: components read it with `useSite`. */
  site: Site;
  changeSite: (change: Partial<Site>) => void;
  /** Null until a part of the page queries the server (`queryClientOf`). */
  queryClient: QueryClient | null;
  /** The state from which the server rendered the page. */
  initialState: AppState;
  getState: () => AppState;
  dispatch: Dispatch<Action>;
  /** Calls the listener after each change. @returns a function that unsubscribes */
  subscribe: (listener: () => void) => () => void;
}

export function createStore(initialState: AppState, site: Site): Store {
  let state = initialState;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const store: Store = {
    site,
    changeSite(change) {
      store.site = { ...store.site, ...change };
      notify();
    },
    queryClient: null,
    initialState,
    getState: () => state,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
  return store;
}
