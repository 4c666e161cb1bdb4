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
import { useAppState, useIsReady, useUser } from '../state/store-provider.tsx';
import { clearSession, readRemembered } from '../storage/session.ts';
import { isResuming, onResumed } from './resuming.ts';

/** Why the login page was opened, unless the visitor opened it. */
export type LoginReason =
  | 'session-lost'
  | 'drafts-kept'
  | 'account-needed'
  | 'account-created'
  | 'password-saved';

/** Opens the login page, which then says why. A reload keeps the reason. */
export function goToLogin(reason: LoginReason, replace = false): void {
  go(pageRoutes.login, { replace });
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

/** Whether anything is typed in a field whose text is stored as it is typed. */
function isDrafting(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('[data-draft]');
  return [...fields].some(({ value }) => value !== '');
}

/**
 * Signs out after the server has rejected the session.
 * @param isBackground whether the page made the call by itself: a page that guests may see then stays
 */
export function loseSession(dispatch: Dispatch<Action>, isBackground: boolean): void {
  if (!isBackground || pages[pageOf(location.pathname).name].needsSignIn) {
    leaveForLogin(dispatch, isDrafting() ? 'drafts-kept' : 'session-lost');
    return;
  }
  const text = isDrafting()
    ? 'Tu sesión ha terminado. Los comentarios y canales a medias se han guardado.'
    : 'Tu sesión ha terminado.';
  clearSession();
  keepReading(() => dispatch({ type: 'LOGOUT_REQUEST' }));
  const link = { href: pageRoutes.login, label: accountTexts.signIn };
  showStatus({ text, links: [link] });
}

/** Guests are sent home from these, as specified; from other pages that need a session, to the login page. */
const leftForHome: PageName[] = ['create', 'profile'];

/**
 * Redirects guests from a page that needs a session, and signed-in users from one for guests. Waits
 * while a remembered session is resumed.
 * @returns whether the page stays, since such a session may still be resumed once the server answers
 */
export function useRedirect(page: PageName): boolean {
  const isReady = useIsReady();
  const { isLogged } = useUser();
  const wasSignedIn = useAppState((state) => state.wasSignedIn);
  const isWaiting = useSyncExternalStore(onResumed, isResuming, () => true);
  const isWrong = isReady && (isLogged || !isWaiting) && pages[page].needsSignIn === !isLogged;
  const isForHome = isLogged || leftForHome.includes(page);
  const stays = isWrong && !isForHome && !wasSignedIn && readRemembered() !== null;
  const mustLeave = isWrong && !stays;
  useEffect(() => {
    if (!mustLeave) return;
    if (isForHome) go(pageRoutes.home, { replace: true });
    else goToLogin('account-needed', true);
  }, [mustLeave, isForHome]);
  return stays;
}
