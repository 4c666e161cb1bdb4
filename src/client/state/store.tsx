import {
  createContext,
  type Dispatch,
  Fragment,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Site } from '../../shared/page-data.ts';
import { readSession, showSessionToStyles } from '../account/session.ts';
import type { Action } from './actions.ts';
import { reduce } from './reducer.ts';
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
  const { id, isLogged } = state.user;
  /** How often the page was handed from one person to another. */
  const [handovers, setHandovers] = useState(0);

  // Before the browser paints, but after hydration, which must find the guest's page.
  useLayoutEffect(() => {
    const user = readSession();
    if (user) dispatch({ type: 'LOGIN_REQUEST', user });
    setReady(true);
  }, []);

  useLayoutEffect(() => {
    if (isReady) showSessionToStyles(isLogged);
  }, [isReady, isLogged]);

  // Back may show a page as it was left, though the session has become another's since.
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      const user = readSession();
      if (!persisted || (user ? user.id : '') === (isLogged ? id : '')) return;
      // Before anybody sees it; and nothing that the other person's page still holds stays.
      flushSync(() => {
        dispatch(user ? { type: 'LOGIN_REQUEST', user } : { type: 'LOGOUT_REQUEST' });
        setHandovers((count) => count + 1);
      });
    };
    addEventListener('pageshow', onPageShow);
    return () => removeEventListener('pageshow', onPageShow);
  }, [id, isLogged]);

  const store = useMemo(() => ({ state, dispatch, isReady, site }), [state, isReady, site]);
  return (
    <StoreContext value={store}>
      <Fragment key={handovers}>{children}</Fragment>
    </StoreContext>
  );
}

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('useStore needs a StoreProvider above it');
  return store;
}
