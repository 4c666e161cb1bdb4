import { flushSync } from 'react-dom';
import { isFormPage } from '../../shared/pages.ts';
import { changeEntry, type ReloadMessage } from '../router/entry-state.ts';
import { pageOf } from '../router/match-page.ts';
import type { Store } from '../state/store.ts';
import { clearSession, readRemembered, readSession } from '../storage/session.ts';
import { followTabs } from './tabs.ts';

/**
 * Reloads the document. From sign-in until the reload a document belongs to one person, of whom nothing remains in
 * memory afterwards.
 * @param told message shown on the new page
 */
export function reloadPage(told?: ReloadMessage): void {
  changeEntry({ told });
  location.reload();
}

/**
 * Loads the document anew for a reader who may no longer read the community, so that nothing of it stays in memory: the
 * server then sends what guests see. Pages without data of members stay, and so does what guests see.
 */
export function leaveClosed(store: Store): void {
  const { pathname, search } = location;
  const isGuests = store.getState().membersOnlyAddress === pathname + search;
  if (!isGuests && !isFormPage(pageOf(pathname).name)) location.reload();
}

/**
 * Reloads a page restored from the back/forward cache in a community of members, and elsewhere when its user is no longer
 * the tab's user, or when the browser no longer remembers the user. A guest's tab in a community of members may read by
 * the browser's cookie: it also reloads when a session in another tab begins or ends.
 * @returns a function that stops this
 */
export function followBrowser(store: Store, isMembersOnly: boolean, isGuest: boolean): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  if (isMembersOnly && isGuest) followTabs(() => leaveClosed(store), signal);
  let remembered: string | null = null;
  const onPageHide = () => {
    remembered = readRemembered();
  };
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    if (isMembersOnly) return location.reload();
    const { id, isLogged } = store.getState().user;
    const wasDiscarded = remembered === id && readRemembered() !== id;
    if (wasDiscarded && readSession()?.id === id) clearSession();
    if ((readSession()?.id ?? '') === (isLogged ? id : '')) return;
    // Until the reload, it shows a guest's page.
    if (isLogged) flushSync(() => store.dispatch({ type: 'LOGOUT_REQUEST' }));
    reloadPage();
  };
  addEventListener('pagehide', onPageHide, { signal });
  addEventListener('pageshow', onPageShow, { signal });
  return () => stop.abort();
}
