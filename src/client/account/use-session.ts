import { type Dispatch, useEffect } from 'react';
import { flushSync } from 'react-dom';
import type { SignedIn } from '../../shared/accounts.ts';
import { type PageName, pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { go } from '../router/navigation.tsx';
import type { Action } from '../state/actions.ts';
import { useIsReady, useUser } from '../state/store-provider.tsx';
import { sessionStore } from '../storage/browser-storage.ts';
import { fieldsOf } from '../storage/stored-value.ts';
import { clearSession } from './session.ts';

/** Stores the session as specified: each field under its own session storage key. */
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

/** Stores a new session, updates the state and goes to the home page. */
export function beginSession(signedIn: SignedIn, dispatch: Dispatch<Action>): void {
  saveSession(signedIn);
  // User and address change in one render; otherwise the login page would redirect as well.
  flushSync(() => {
    dispatch({ type: 'LOGIN_REQUEST', user: signedIn.user });
    go(pageRoutes.home, { replace: true });
  });
}

/**
 * Signs out after the server has ended the session, and shows the login page. Drafts stay in local
 * storage for the account.
 * @param isExpected whether to omit the message that the session has ended
 */
export function loseSession(dispatch: Dispatch<Action>, { isExpected = false } = {}): void {
  clearSession();
  flushSync(() => {
    dispatch({ type: 'LOGOUT_REQUEST' });
    go(pageRoutes.login);
    if (!isExpected) history.replaceState({ isSessionLost: true }, '');
  });
}

/** Whether the current history entry is a login page opened by `loseSession`. */
export function isSessionLost(): boolean {
  return fieldsOf(history.state).isSessionLost === true;
}

/** Redirects guests from a page that needs a session, and signed-in users from one for guests. */
export function useRedirectHome(page: PageName): void {
  const isReady = useIsReady();
  const { isLogged } = useUser();
  const mustLeave = isReady && pages[page].needsSignIn === !isLogged;
  useEffect(() => {
    if (mustLeave) go(pageRoutes.home, { replace: true });
  }, [mustLeave]);
}
