import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { User } from '../../shared/accounts.ts';
import type { Site } from '../../shared/page-data.ts';
import { showSessionToStyles } from '../storage/session.ts';
import type { AppState } from './state.ts';
import { createStore, type Store } from './store.ts';

const StoreContext = createContext({} as Store);

interface StoreProviderProps {
  initialState: AppState;
  site: Site;
  /** The user of the session; null for guests and on the server. */
  user: User | null;
  children: ReactNode;
}

export function StoreProvider({ initialState, site, user, children }: StoreProviderProps) {
  // Hydration renders `initialState`, the guest's page as the server rendered it, and then what is different for the user.
  const [store] = useState(() => {
    const created = createStore(initialState, site);
    if (user) created.dispatch({ type: 'LOGIN_REQUEST', user });
    return created;
  });

  useLayoutEffect(() => {
    const { getState, subscribe } = store;
    const showSession = () => showSessionToStyles(getState().user.isLogged);
    showSession();
    return subscribe(showSession);
  }, [store]);

  return <StoreContext value={store}>{children}</StoreContext>;
}

/** The store, for dispatching and for reading the state outside rendering. It is never replaced. */
export const useStore = () => useContext(StoreContext);

/**
 * Part of the state. The component renders again only when that part changes.
 * @param select must return the same value for the same state, not a new object
 */
export function useAppState<T>(select: (state: AppState) => T): T {
  const { subscribe, getState, initialState } = useStore();
  return useSyncExternalStore(
    subscribe,
    () => select(getState()),
    () => select(initialState),
  );
}

/** The settings of the site, including changes made on this page. */
export function useSite(): Site {
  const store = useStore();
  const read = () => store.site;
  return useSyncExternalStore(store.subscribe, read, read);
}

export const useUser = () => useAppState((state) => state.user);

const subscribeToNothing = () => () => {};

/**
 * False on the server and while the server's HTML is hydrated, in which both must render the same; then the component
 * renders again. True from the start for what is first rendered in the browser.
 */
export const useHydrated = () =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );

/** Renders its children only in the browser, after hydration. */
export const BrowserOnly = ({ children }: { children: ReactNode }) => useHydrated() && children;
