import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Site } from '../../shared/page-data.ts';
import { readSession, showSessionToStyles } from '../storage/session.ts';
import type { AppState } from './state.ts';
import { createStore, type Store } from './store.ts';

const StoreContext = createContext({} as Store);
const ReadyContext = createContext(false);

interface StoreProviderProps {
  initialState: AppState;
  site: Site;
  children: ReactNode;
}

export function StoreProvider({ initialState, site, children }: StoreProviderProps) {
  const [store] = useState(() => createStore(initialState, site));
  const [isReady, setReady] = useState(false);

  // Hydration needs the guest's page that the server rendered; the user's page is shown before the next paint.
  useLayoutEffect(() => {
    const { getState, dispatch, subscribe } = store;
    const user = readSession();
    if (user) dispatch({ type: 'LOGIN_REQUEST', user });
    // biome-ignore lint/nursery/useReactCompiler: the session must not be read before hydration
    setReady(true);
    store.setHydrated();
    const showSession = () => showSessionToStyles(getState().user.isLogged);
    showSession();
    return subscribe(showSession);
  }, [store]);

  return (
    <StoreContext value={store}>
      <ReadyContext value={isReady}>{children}</ReadyContext>
    </StoreContext>
  );
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

/**
 * False on the server and in the first client render, before the session is read. The component renders again when
 * this changes; with `useIsHydration` it does not.
 */
export const useIsReady = () => useContext(ReadyContext);

/** Whether the component was first rendered on the server, or to hydrate the server's HTML. */
export function useIsHydration(): boolean {
  const store = useStore();
  const [isHydration] = useState(() => !store.isHydrated());
  return isHydration;
}

/** Renders its children only in the browser, after the first render. */
export const BrowserOnly = ({ children }: { children: ReactNode }) => useIsReady() && children;
