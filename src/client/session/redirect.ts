import { useEffect, useSyncExternalStore } from 'react';
import { type PageName, pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { changeEntry, type EntryState } from '../router/entry-state.ts';
import { pageOf } from '../router/match-page.ts';
import { go } from '../router/navigation.tsx';
import { nextPage, withNext } from '../router/next-page.ts';
import { useAppState, useHydrated, useUser } from '../state/store-provider.tsx';
import { readRemembered } from '../storage/session.ts';
import { isResuming, onResumed } from './resuming.ts';

/** Why the login page was opened without a link to it. A reload keeps the reason. */
export type LoginEntry = Pick<EntryState, 'ended'> & Required<Pick<EntryState, 'loginReason'>>;

/**
 * Pages from which guests are redirected to the home page, as specified. Other pages that need a session redirect to
 * the login page.
 */
const leftForHome: PageName[] = ['create', 'profile'];

/**
 * Opens the login page, which shows the reason and leads to the next page. Its address stays bare unless the present one
 * has a next page.
 */
export function goToLogin(entry: LoginEntry, replace = false): void {
  const isLeftForHome = leftForHome.includes(pageOf(location.pathname).name);
  const next = isLeftForHome ? null : nextPage();
  const isInAddress = new URLSearchParams(location.search).has('next');
  go(isInAddress ? withNext(pageRoutes.login, next) : pageRoutes.login, { replace });
  changeEntry({ ...entry, next });
}

/**
 * Redirects guests from a page that needs a session, and signed-in users from one for guests. Waits while a
 * remembered session is resumed.
 * @returns whether the page stays, because the session may still be resumed once the server responds
 */
export function useRedirect(page: PageName): boolean {
  const isReady = useHydrated();
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
    else goToLogin({ loginReason: 'account-needed' }, true);
  }, [mustLeave, isForHome]);
  return stays;
}
