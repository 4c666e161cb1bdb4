import { useEffect, useMemo } from 'react';
import { flushSync } from 'react-dom';
import type { SignedIn } from '../../shared/accounts.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { loadAccountParts } from '../account-loader.tsx';
import { api, setSessionLostHandler } from '../api.ts';
import { go } from '../navigation.tsx';
import { clearSession, readToken, saveSession } from './session.ts';
import { useStore } from './store.tsx';

/** Signing in and out: what happens beside the state, and the state. */
export function useAccount() {
  const { dispatch } = useStore();
  return useMemo(
    () => ({
      signIn(signedIn: SignedIn) {
        saveSession(signedIn);
        // User and address change in one render, or the page in between would redirect as well.
        flushSync(() => {
          dispatch({ type: 'LOGIN_REQUEST', user: signedIn.user });
          go(pageRoutes.home, { replace: true });
        });
      },
      signOut() {
        const token = readToken();
        if (token) api.signOut(token);
        endSession();
        dispatch({ type: 'LOGOUT_REQUEST' });
      },
      /** The server no longer knows the session. */
      expire() {
        endSession();
        flushSync(() => {
          dispatch({ type: 'LOGOUT_REQUEST' });
          go(pageRoutes.login);
        });
      },
    }),
    [dispatch],
  );
}

function endSession(): void {
  clearSession();
  loadAccountParts().then(
    ({ dropKeptFiles }) => dropKeptFiles(),
    () => {},
  );
}

export function useLostSession(): void {
  const { expire } = useAccount();
  useEffect(() => setSessionLostHandler(expire), [expire]);
}

/** Lets what was written without a connection be sent by whoever wrote it. */
export function useOutbox(): void {
  const { state, dispatch } = useStore();
  const { id, isLogged } = state.user;
  useEffect(() => {
    if (!isLogged) return;
    let stop: (() => void) | null = () => {};
    loadAccountParts().then(
      ({ startOutbox }) => {
        if (stop) stop = startOutbox(id, dispatch);
      },
      () => {},
    );
    return () => {
      stop?.();
      stop = null;
    };
  }, [id, isLogged, dispatch]);
}

/** Pages of users send guests home, and those of guests send users there. */
export function useRedirectHome(who: 'guests' | 'users'): void {
  const { state, isReady } = useStore();
  const mustLeave = isReady && state.user.isLogged === (who === 'users');
  useEffect(() => {
    if (mustLeave) go(pageRoutes.home, { replace: true });
  }, [mustLeave]);
}
