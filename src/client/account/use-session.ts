import { type Dispatch, useEffect } from 'react';
import { flushSync } from 'react-dom';
import type { SignedIn } from '../../shared/accounts.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { go } from '../router/navigation.tsx';
import type { Action } from '../state/actions.ts';
import { sessionStore } from '../state/browser-storage.ts';
import { useStore } from '../state/store.tsx';
import { clearSession } from './session.ts';

/** The session as the specification keeps it: one session storage key for each part. */
function saveSession({ token, user }: SignedIn): void {
  sessionStore.set('id', user.id);
  sessionStore.set('name', user.name);
  sessionStore.set('email', user.email);
  saveSessionImage(user.img);
  sessionStore.set('isLogged', 'true');
  sessionStore.set('token', token);
}

export function saveSessionImage(img: string | null): void {
  sessionStore.set('img', img ?? '');
}

/** What happens beside the state, and the state. */
export function beginSession(signedIn: SignedIn, dispatch: Dispatch<Action>): void {
  saveSession(signedIn);
  // User and address change in one render, or the page in between would redirect as well.
  flushSync(() => {
    dispatch({ type: 'LOGIN_REQUEST', user: signedIn.user });
    go(pageRoutes.home, { replace: true });
  });
}

/**
 * The server no longer knows the session. What was written in it stays, for that account.
 * @param isExpected when the person has been told already
 */
export function loseSession(dispatch: Dispatch<Action>, { isExpected = false } = {}): void {
  clearSession();
  flushSync(() => {
    dispatch({ type: 'LOGOUT_REQUEST' });
    go(pageRoutes.login);
    if (!isExpected) history.replaceState({ isSessionLost: true }, '');
  });
}

/** Whether the page that is shown is the one that a lost session led to. */
export function isSessionLost(): boolean {
  const state: unknown = history.state;
  return (
    typeof state === 'object' &&
    state !== null &&
    'isSessionLost' in state &&
    Boolean(state.isSessionLost)
  );
}

/** Pages of users send guests home, and those of guests send users there. */
export function useRedirectHome(who: 'guests' | 'users'): void {
  const { state, isReady } = useStore();
  const mustLeave = isReady && state.user.isLogged === (who === 'users');
  useEffect(() => {
    if (mustLeave) go(pageRoutes.home, { replace: true });
  }, [mustLeave]);
}
