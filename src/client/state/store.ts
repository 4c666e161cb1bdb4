import type { Dispatch } from 'react';
import type { Site } from '../../shared/page-data.ts';
import type { Action } from './actions.ts';
import { reduce } from './reducer.ts';
import type { AppState } from './state.ts';

export interface Store {
  site: Site;
  /** The state that the server rendered the page from. */
  initialState: AppState;
  /** False until the first render, which must equal the server's, is committed. */
  isHydrated: () => boolean;
  setHydrated: () => void;
  getState: () => AppState;
  dispatch: Dispatch<Action>;
  /** Calls the listener after each change. @returns a function that unsubscribes */
  subscribe: (listener: () => void) => () => void;
}

export function createStore(initialState: AppState, site: Site): Store {
  let state = initialState;
  let isHydrated = false;
  const listeners = new Set<() => void>();
  return {
    site,
    initialState,
    isHydrated: () => isHydrated,
    setHydrated() {
      isHydrated = true;
    },
    getState: () => state,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
