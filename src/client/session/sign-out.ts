import type { QueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { apiRoutes } from '../../shared/api-routes.ts';
import { pages } from '../../shared/pages.ts';
import type { ReadingPosition } from '../../shared/people.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { defineCall, send } from '../api/call.ts';
import { orFailure } from '../api/failures.ts';
import { accountKey } from '../api/query-client.ts';
import { sendLastPositions, unsentPositions } from '../conversation/reading/news.ts';
import { pageOf } from '../router/match-page.ts';
import { go } from '../router/navigation.tsx';
import { withNext } from '../router/next-page.ts';
import type { Store } from '../state/store.ts';
import { keepAcknowledged } from '../storage/acknowledged.ts';
import { keepChosenOrder } from '../storage/chosen-order.ts';
import { isSomeOnlyInMemory } from '../storage/draft-texts.ts';
import { deleteLocalFiles } from '../storage/local-files.ts';
import {
  clearSession,
  currentToken,
  discardRemembered,
  markSigningOut,
  readRemembered,
  readSession,
  unmarkSigningOut,
} from '../storage/session.ts';
import { accountTexts } from '../ui/account-texts.ts';
import { isTyped } from '../ui/loading/reload-after-failed-chunk.ts';
import { showStatus } from '../ui/status/status-bar.tsx';
import { texts } from '../ui/texts.ts';
import { endPush } from './end-push.ts';
import { goToLogin, type LoginEntry } from './redirect.ts';
import { reloadPage } from './reload-page.ts';
import { endRememberedBrowser, isUnknownSession } from './remembered-browser.ts';
import { everyAccount, tellTabs } from './tabs.ts';

const endSession = defineCall<void, undefined>('POST', apiRoutes.signOut, { keepalive: true });

const needsSignIn = () => pages[pageOf(location.pathname).name].needsSignIn;

/**
 * Signs out, as every tab of the account does that receives the message: the browser discards the person's data and
 * shows a guest's page at once. Once the server has confirmed, the document is reloaded, so that none of the data stays
 * in memory. Until then the token is only in memory, and `Reintentar` asks the server again. If the page is closed or
 * loaded anew before, the next one tells the server once (before-paint.ts).
 * @param isTold whether another tab has told this one to
 */
export async function signOut(
  store: Store,
  queryClient: QueryClient,
  isTold = false,
): Promise<void> {
  if (!isTold && !isAsked && isSomeOnlyInMemory()) return askToSignOut(store, queryClient);
  const { id } = store.getState().user;
  const token = currentToken();
  const read = unsentPositions(store);
  markSigningOut();
  // After the mark: tabs that read by the browser's cookie are loaded anew, and look for it.
  // A tab without a session reads by the cookie of one that another tab may have.
  if (!isTold) tellTabs(id || everyAccount);
  clearSession();
  discardRemembered();
  keepChosenOrder('comments');
  keepAcknowledged([]);
  queryClient.removeQueries({ queryKey: accountKey(id) });
  // In one task, and so in one render; otherwise the page would redirect to the login page.
  if (needsSignIn()) go(pageRoutes.home, { replace: true });
  store.dispatch({ type: 'LOGOUT_REQUEST' });
  const deleted = deleteLocalFiles(`${id} `);
  endPush().catch(() => {});
  const finish = async () => {
    showStatus(null);
    if (!(await endOnServer(token, read))) {
      const action = { label: texts.retry, run: finish };
      return showStatus({ text: 'Sin conexión: la sesión sigue abierta en el servidor', action });
    }
    unmarkSigningOut();
    tellTabs();
    await deleted;
    reloadPage({ text: 'Has cerrado sesión.' });
  };
  await finish();
}

/** Whether the user was told that signing out loses what is typed. */
let isAsked = false;

function askToSignOut(store: Store, queryClient: QueryClient): void {
  isAsked = true;
  showStatus({
    text: 'Copia lo que escribiste antes de cerrar la sesión: este navegador no tiene espacio para guardarlo.',
    action: { label: 'Cerrar sesión', run: () => signOut(store, queryClient) },
  });
}

/** @returns whether the server no longer knows the token or the browser */
async function endOnServer(token: string, read: ReadingPosition[]): Promise<boolean> {
  await sendLastPositions(read, token);
  return (await isEnded(send(endSession, undefined, { token }))) && (await endThisBrowser());
}

/** If an account has been remembered since, because the user signed in again in another tab, it is kept. */
const endThisBrowser = async () => readRemembered() !== null || isEnded(endRememberedBrowser());

async function isEnded(answer: Promise<undefined>): Promise<boolean> {
  const failure = await orFailure(answer);
  return !failure || isUnknownSession(failure);
}

/**
 * Discards this tab's session, if it has one, after the server has ended it, and opens the login page, which shows
 * the reason. Drafts stay in local storage for the account.
 * @param email fills in the login form of a guest
 */
export function leaveForLogin(store: Store, entry: LoginEntry, email = ''): void {
  const { isLogged } = store.getState().user;
  clearSession();
  // In one render; otherwise the page would redirect as well.
  flushSync(() => {
    store.dispatch({ type: 'LOGOUT_REQUEST', email });
    goToLogin(entry);
  });
  if (isLogged) location.reload();
}

/** Whether a field whose text is stored as a draft has any text. */
function isDrafting(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('[data-draft]');
  return [...fields].some(({ value }) => value !== '');
}

let isOffered = false;

/**
 * Discards a session that the server has rejected. After a call made by the user, opens the login page, unless a draft would be lost. Otherwise
 * reloads the page as a guest or, if text has been typed, offers a button to reload.
 * @param isBackground whether the page made the call without a user action
 */
export function loseSession(store: Store, isBackground: boolean): void {
  // A call from before signing out may be answered after it.
  const { id, isLogged } = store.getState().user;
  if (!isLogged) return;
  clearSession();
  // If the server keeps rejecting renewed sessions, a remembered browser would otherwise request them endlessly.
  if (readRemembered() === id) discardRemembered();
  const told = {
    text: 'Tu sesión ha terminado.',
    links: [{ href: withNext(pageRoutes.login), label: accountTexts.signIn }],
  };
  const toLogin = () =>
    leaveForLogin(store, { loginReason: isDrafting() ? 'drafts-kept' : 'session-lost' });
  const leave = () => (needsSignIn() ? toLogin() : reloadPage(told));
  const isUnstored = isSomeOnlyInMemory();
  if (!isBackground && !isUnstored) toLogin();
  else if (!isTyped()) leave();
  else if (!isOffered) {
    isOffered = true;
    const stored = isDrafting() ? ' Los comentarios y canales a medias se han guardado.' : '';
    const kept = isUnstored
      ? ' Copia lo que escribiste antes de recargar: este navegador no tiene espacio para guardarlo.'
      : stored;
    showStatus({ text: told.text + kept, action: { label: 'Recargar', run: leave } });
  }
}

/** Signs out when another tab has signed out this tab's account. @returns whether it has */
export function signOutIfTold(signedOutId: unknown, store: Store, queryClient: QueryClient) {
  const own = readSession()?.id;
  const isOwn = own !== undefined && (signedOutId === own || signedOutId === everyAccount);
  if (isOwn && isSomeOnlyInMemory()) loseSession(store, true);
  else if (isOwn) void signOut(store, queryClient, true);
  return isOwn;
}
