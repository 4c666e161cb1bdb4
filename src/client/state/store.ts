import type { Dispatch } from 'react';
import type { Site } from '../../shared/page-data.ts';
import type { Action } from './actions.ts';
import type { AppState } from './state.ts';
import { isUserAction, reduceUser } from './user-reducer.ts';

type Reduce = (state: AppState, action: Action) => AppState;

let importReducer = async (): Promise<{ reduce: Reduce }> => {
  throw new Error('no reducer');
};
let reduce: Reduce | undefined;

/** Sets where the reducer of all that changes after hydration only is loaded from. */
export function setReducerImport(importModule: typeof importReducer): void {
  importReducer = importModule;
}

/**
 * Loads that reducer. Calls of the API wait for it, so that the state shows a response as soon as it
 * is dispatched.
 */
export async function loadReducer(): Promise<void> {
  reduce ??= (await importReducer()).reduce;
}

export interface Store {
  site: Site;
  /** The state that the server rendered the page from. */
  initialState: AppState;
  getState: () => AppState;
  /** Changes of the user and the error take effect at once, others when the reducer has loaded. */
  dispatch: Dispatch<Action>;
  /** Calls the listener after each change. @returns a function that unsubscribes */
  subscribe: (listener: () => void) => () => void;
}

export function createStore(initialState: AppState, site: Site): Store {
  let state = initialState;
  const listeners = new Set<() => void>();

  const change = (next: AppState) => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const dispatch = (action: Action) => {
    if (isUserAction(action)) change(reduceUser(state, action));
    else if (reduce) change(reduce(state, action));
    else loadReducer().then(() => dispatch(action), console.error);
  };

  return {
    site,
    initialState,
    getState: () => state,
    dispatch,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
