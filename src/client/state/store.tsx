import {
  createContext,
  type Dispatch,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import type { Site } from '../../shared/page-data.ts';
import type { Action } from './actions.ts';
import { reduce } from './reducer.ts';
import { readSession, showSessionToStyles } from './session.ts';
import type { AppState } from './state.ts';

interface Store {
  state: AppState;
  dispatch: Dispatch<Action>;
  /** False on the server and in the first client render: nobody's session is known yet. */
  isReady: boolean;
  site: Site;
}

const StoreContext = createContext<Store | null>(null);

interface StoreProviderProps {
  initialState: AppState;
  site: Site;
  children: ReactNode;
}

export function StoreProvider({ initialState, site, children }: StoreProviderProps) {
  const [state, dispatch] = useReducer(reduce, initialState);
  const [isReady, setReady] = useState(false);
  const { isLogged } = state.user;

  // Before the browser paints, but after hydration, which must find the guest's page.
  useLayoutEffect(() => {
    const user = readSession();
    if (user) dispatch({ type: 'LOGIN_REQUEST', user });
    setReady(true);
  }, []);

  useLayoutEffect(() => {
    if (isReady) showSessionToStyles(isLogged);
  }, [isReady, isLogged]);

  const store = useMemo(() => ({ state, dispatch, isReady, site }), [state, isReady, site]);
  return <StoreContext value={store}>{children}</StoreContext>;
}

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('useStore needs a StoreProvider above it');
  return store;
}
