import type { QueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { apiRoutes } from '../../shared/api-routes.ts';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { defineCall, send } from '../api/call.ts';
import { orFailure } from '../api/failures.ts';
import { accountKey } from '../api/query-client.ts';
import { sendLastPositions } from '../conversation/reading/news.ts';
import { pageOf } from '../dom/match-page.ts';
import { go } from '../dom/navigation.tsx';
import type { Store } from '../state/store.ts';
import { deleteLocalFiles } from '../storage/local-files.ts';
import {
  clearSession,
  currentToken,
  forgetRemembered,
  readRemembered,
  readSession,
} from '../storage/session.ts';
import { accountTexts } from '../ui/account-texts.ts';
import { isTyped } from '../ui/loading/missing-parts.ts';
import { showStatus } from '../ui/status/status-bar.tsx';
import { texts } from '../ui/texts.ts';
import { loadAnew } from './load-anew.ts';
import { goToLogin, type LoginEntry } from './redirect.ts';
import { forgetBrowser, isForgotten } from './remembered-browser.ts';
import { forgetPlace } from './way-back.ts';

const endSession = defineCall<void, undefined>('POST', apiRoutes.signOut, { keepalive: true });

const needsSignIn = () => pages[pageOf(location.pathname).name].needsSignIn;

/**
 * Signs out, as every tab does that is told of it: the browser forgets the person and shows a guest's page at once.
 * Once the server knows it, the document is loaded anew, so that nothing of the person stays in its memory.
 * Until then the token is in memory alone.
 */
export async function signOut(store: Store, queryClient: QueryClient): Promise<void> {
  const { id } = store.getState().user;
  const token = currentToken();
  clearSession();
  forgetRemembered();
  forgetPlace();
  queryClient.removeQueries({ queryKey: accountKey(id) });
  // In one task, and so in one render; otherwise the page would lead to signing in.
  if (needsSignIn()) go(pageRoutes.home, { replace: true });
  store.dispatch({ type: 'LOGOUT_REQUEST' });
  showStatus(null);
  const deleted = deleteLocalFiles(`${id} `);
  while (!(await endOnServer(token))) await untilRetry();
  await deleted;
  loadAnew({ text: 'Has cerrado sesión.' });
}

/** @returns whether the server knows neither the token nor the browser any more */
async function endOnServer(token: string): Promise<boolean> {
  await sendLastPositions(token);
  return (await isEnded(send(endSession, undefined, { token }))) && (await forgetThisBrowser());
}

/** Since then somebody may have signed in to stay in another tab, who must not be forgotten. */
const forgetThisBrowser = async () => readRemembered() !== null || isEnded(forgetBrowser());

async function isEnded(answer: Promise<undefined>): Promise<boolean> {
  const failure = await orFailure(answer);
  return !failure || isForgotten(failure);
}

function untilRetry(): Promise<void> {
  return new Promise((resolve) => {
    const retry = () => resolve();
    for (const type of ['online', 'pagehide']) addEventListener(type, retry, { once: true });
    showStatus({
      text: 'Has cerrado sesión en este navegador, pero el servidor no responde y todavía no lo sabe. Deja esta página abierta hasta que vuelva la conexión.',
      action: { label: texts.retry, run: retry },
    });
  });
}

/**
 * Ends the session of this tab, if it has one, after the server has ended it, and shows the login page, which says why. Drafts stay in
 * local storage for the account.
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

/** Whether anything is typed in a field whose text is stored as it is typed. */
function isDrafting(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('[data-draft]');
  return [...fields].some(({ value }) => value !== '');
}

let isOffered = false;

/**
 * Ends the session that the server has rejected. A write that a person asked for leads to the login page. Otherwise the page is loaded anew
 * for a guest, while something is typed only when asked to.
 * @param isBackground whether the page made the call by itself
 */
export function loseSession(store: Store, isBackground: boolean): void {
  // A call from before signing out may be answered after it.
  const { id, isLogged } = store.getState().user;
  if (!isLogged) return;
  clearSession();
  // A browser whose renewed session is rejected too would otherwise come back with another one, again and again.
  if (readRemembered() === id) forgetRemembered();
  const told = {
    text: 'Tu sesión ha terminado.',
    links: [{ href: pageRoutes.login, label: accountTexts.signIn }],
  };
  const toLogin = () =>
    leaveForLogin(store, { loginReason: isDrafting() ? 'drafts-kept' : 'session-lost' });
  const leave = () => (needsSignIn() ? toLogin() : loadAnew(told));
  if (!isBackground) toLogin();
  else if (!isTyped()) leave();
  else if (!isOffered) {
    isOffered = true;
    const kept = isDrafting() ? ' Los comentarios y canales a medias se han guardado.' : '';
    showStatus({ text: told.text + kept, action: { label: 'Recargar', run: leave } });
  }
}

/** Signs out when another tab has signed this tab's account out. @returns whether it has */
export function signOutIfTold(signedOutId: unknown, store: Store, queryClient: QueryClient) {
  const isOwn = Boolean(signedOutId) && signedOutId === readSession()?.id;
  if (isOwn) void signOut(store, queryClient);
  return isOwn;
}
