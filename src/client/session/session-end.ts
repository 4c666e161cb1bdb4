import { type Dispatch, useEffect, useSyncExternalStore } from 'react';
import { type PageName, pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { keepReading } from '../components/keep-reading.ts';
import { showStatus } from '../components/status-bar.tsx';
import { changeEntry } from '../router/entry-state.ts';
import { pageOf } from '../router/match-page.ts';
import { go } from '../router/navigation.tsx';
import type { Action } from '../state/actions.ts';
import { useIsReady, useUser } from '../state/store-provider.tsx';
import { clearSession } from '../storage/session.ts';
import { isResuming, onResumed } from './remembered-browser.ts';

/** Why the login page was opened, unless the visitor opened it. */
export type LoginReason = 'session-lost' | 'account-created' | 'password-saved';

/** Opens the login page, which then says why. A reload keeps the reason. */
export function goToLogin(reason: LoginReason): void {
  go(pageRoutes.login);
  changeEntry({ loginReason: reason });
}

/**
 * Signs out after the server has ended the session, and shows the login page. Drafts stay in local
 * storage for the account.
 * @param email fills in the login form
 */
export function leaveForLogin(dispatch: Dispatch<Action>, reason: LoginReason, email = ''): void {
  clearSession();
  // In one task, and so in one render; otherwise the page would redirect as well.
  dispatch({ type: 'LOGOUT_REQUEST', email });
  goToLogin(reason);
}

/**
 * Signs out after the server has rejected the session.
 * @param isBackground whether the page made the call by itself: a page that guests may see then stays
 */
export function loseSession(dispatch: Dispatch<Action>, isBackground: boolean): void {
  if (!isBackground || pages[pageOf(location.pathname).name].needsSignIn) {
    leaveForLogin(dispatch, 'session-lost');
    return;
  }
  const fields = document.querySelectorAll<HTMLTextAreaElement>('textarea:read-write');
  const isWriting = [...fields].some(({ value }) => value !== '');
  clearSession();
  keepReading(() => dispatch({ type: 'LOGOUT_REQUEST' }));
  const link = { href: pageRoutes.login, label: accountTexts.signIn };
  const text = isWriting
    ? 'Tu sesión ha terminado. Los comentarios y canales a medias se han guardado.'
    : 'Tu sesión ha terminado.';
  showStatus({ text, links: [link] });
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
