import type { SignedIn } from '../../shared/accounts.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { Failure, orFailure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { isForGuests } from '../router/match-page.ts';
import { go } from '../router/navigation.tsx';
import { nextPage } from '../router/next-page.ts';
import type { Store } from '../state/store.ts';
import { currentToken, readSession } from '../storage/session.ts';
import { showStatus } from '../ui/status/status-bar.tsx';
import { shortDate } from '../ui/time/short-date.ts';
import { askSignInNews } from './account-calls.ts';
import { takeInvitedPage } from './invited-page.ts';
import { reloadPage } from './reload-page.ts';
import { saveSession } from './save-session.ts';

/**
 * Stores a new session, updates the state and goes to the next page or where an invitation leads, else home, unless the user has
 * left the form for another page.
 */
export function beginSession(signedIn: SignedIn, store: Store): void {
  const { dispatch, getState } = store;
  // Another attempt to sign in was answered first.
  if (readSession()) return;
  const isOnForm = isForGuests(location.pathname);
  const invited = takeInvitedPage();
  // Somebody who was invited to one place may have asked to answer at another.
  const target = nextPage() ?? invited ?? pageRoutes.home;
  const enter = () => {
    if (isOnForm) go(target, { replace: true });
  };
  const text = 'Has iniciado sesión.';
  saveSession(signedIn);
  // The previous user has signed out in this document, and the server has not confirmed it yet.
  if (getState().wasSignedIn) {
    enter();
    reloadPage({ text });
    return;
  }
  // In one task, and so in one render; otherwise the login page would redirect as well.
  dispatch({ type: 'LOGIN_REQUEST', user: signedIn.user });
  enter();
  showStatus({ text });
  void tellAtSignIn(text);
}

/** Adds to the sign-in message that an admin created a password link for the account. */
async function tellAtSignIn(text: string): Promise<void> {
  const token = currentToken();
  const news = await orFailure(request(askSignInNews, undefined, { isBackground: true }));
  if (news instanceof Failure || currentToken() !== token || !news.passwordLinkAt) return;
  const told = `Quien administra el foro dio un enlace para poner una contraseña nueva en tu cuenta (${shortDate(news.passwordLinkAt)}).`;
  const link = { href: `${pageRoutes.settings}#decisiones`, label: 'Ver' };
  showStatus({ text: `${text} ${told}`, links: [link] });
}
