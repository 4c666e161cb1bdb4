import { type Dispatch, useEffect, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { SignedIn } from '../../shared/accounts.ts';
import { type PageName, pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { type Status, showStatus } from '../components/status-bar.tsx';
import { pageOf } from '../router/match-page.ts';
import { go } from '../router/navigation.tsx';
import type { Action } from '../state/actions.ts';
import { useIsReady, useUser } from '../state/store-provider.tsx';
import { clearSession } from '../storage/session.ts';
import { fieldsOf, isText } from '../storage/stored-value.ts';
import { texts } from '../texts.ts';
import { remindOfRecoveryCodes } from './recovery-reminder.ts';
import { isResuming, onResumed } from './resume.ts';
import { saveSession } from './save-session.ts';

/** Stores a new session, updates the state and goes to the home page. */
export function beginSession(signedIn: SignedIn, dispatch: Dispatch<Action>): void {
  const status: Status = { text: accountTexts.signedIn, ...linkBack() };
  saveSession(signedIn);
  // User and address change in one render; otherwise the login page would redirect as well.
  flushSync(() => {
    dispatch({ type: 'LOGIN_REQUEST', user: signedIn.user });
    go(pageRoutes.home, { replace: true });
  });
  showStatus(status);
  remindOfRecoveryCodes(status);
}

const pagesWithoutWayBack: PageName[] = ['home', 'password', 'recover', 'not-found'];

/** A link to the page from which the forms for guests were opened; null where it is not worth it. */
function linkBack(): Pick<Status, 'links'> | null {
  const { cameFrom } = fieldsOf(history.state);
  const { href, title } = fieldsOf(cameFrom);
  if (!isText(href) || !isText(title)) return null;
  const { name } = pageOf(new URL(href, location.href).pathname);
  if (pagesWithoutWayBack.includes(name)) return null;
  const ofSite = ` · ${texts.siteName}`;
  const ownTitle = title.endsWith(ofSite) ? title.slice(0, -ofSite.length) : title;
  return { links: [{ href, label: accountTexts.backTo(ownTitle) }] };
}

/** Why the login page was opened, other than by a visitor who wants to sign in. */
export type LoginReason = 'session-lost' | 'account-created' | 'password-saved';

/** Opens the login page, which then says why. A reload keeps the reason. */
export function goToLogin(reason: LoginReason): void {
  go(pageRoutes.login);
  history.replaceState({ ...history.state, loginReason: reason }, '');
}

/** The reason for which the current history entry, a login page, was opened. */
export function loginReason(): unknown {
  return fieldsOf(history.state).loginReason;
}

/**
 * Signs out after the server has ended the session, and shows the login page. Drafts stay in local
 * storage for the account.
 */
export function loseSession(
  dispatch: Dispatch<Action>,
  reason: LoginReason = 'session-lost',
): void {
  clearSession();
  flushSync(() => {
    dispatch({ type: 'LOGOUT_REQUEST' });
    goToLogin(reason);
  });
}

/**
 * Redirects guests from a page that needs a session, and signed-in users from one for guests. Waits
 * while a remembered session is resumed.
 */
export function useRedirectHome(page: PageName): void {
  const isReady = useIsReady();
  const { isLogged } = useUser();
  const isWaiting = useSyncExternalStore(onResumed, isResuming, () => true);
  const mustLeave = isReady && (isLogged || !isWaiting) && pages[page].needsSignIn === !isLogged;
  useEffect(() => {
    if (mustLeave) go(pageRoutes.home, { replace: true });
  }, [mustLeave]);
}
