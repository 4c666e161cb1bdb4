import type { SignedIn } from '../../shared/accounts.ts';
import type { Site } from '../../shared/page-data.ts';
import type { PageName } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { Failure, orFailure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { type Status, showStatus } from '../components/status-bar.tsx';
import { entryState } from '../router/entry-state.ts';
import { isForGuests, pageOf } from '../router/match-page.ts';
import { go } from '../router/navigation.tsx';
import { saveSession } from '../session/tabs.ts';
import type { Store } from '../state/store.ts';
import { currentToken, readSession } from '../storage/session.ts';
import { siteNameOf } from '../texts.ts';
import { shortDate } from '../time/short-date.ts';
import { askSignInNews } from './account-calls.ts';

/**
 * Stores a new session, updates the state and goes to the home page, unless the person has left the form for
 * another page meanwhile.
 */
export function beginSession(signedIn: SignedIn, { site, dispatch }: Store): void {
  // Another attempt to sign in was answered first.
  if (readSession()) return;
  const isOnForm = isForGuests(location.pathname);
  const status: Status = { text: 'Has iniciado sesión.', ...(isOnForm && linkBack(site)) };
  saveSession(signedIn);
  // In one task, and so in one render; otherwise the login page would redirect as well.
  dispatch({ type: 'LOGIN_REQUEST', user: signedIn.user });
  if (isOnForm) go(pageRoutes.home, { replace: true });
  showStatus(status);
  tellAtSignIn(status);
}

const pagesWithoutWayBack: PageName[] = ['home', 'password', 'recover', 'not-found'];

/**
 * A link to the page from which the forms for guests were opened; null for home and such forms, and for a path such as
 * `//example.org`, which as a link leads to another site.
 */
function linkBack(site: Site): Pick<Status, 'links' | 'isKept'> | null {
  const { cameFrom } = entryState();
  if (!cameFrom) return null;
  const { href, title, scrollPosition } = cameFrom;
  const { origin, pathname } = new URL(href, location.href);
  if (origin !== location.origin || pagesWithoutWayBack.includes(pageOf(pathname).name))
    return null;
  const siteSuffix = ` · ${siteNameOf(site)}`;
  const pageTitle = title.endsWith(siteSuffix) ? title.slice(0, -siteSuffix.length) : title;
  const label = `Volver a ${pageTitle}`;
  return { links: [{ href, label, scrollPosition }], isKept: true };
}

/** Adds to the message about the sign-in that an admin gave somebody a link to a new password. */
async function tellAtSignIn({ text }: Status): Promise<void> {
  const token = currentToken();
  const news = await orFailure(request(askSignInNews, undefined, { isBackground: true }));
  if (news instanceof Failure || currentToken() !== token || !news.passwordLinkAt) return;
  const told = `Quien administra el foro dio un enlace para poner otra contraseña en tu cuenta (${shortDate(news.passwordLinkAt)}).`;
  const link = { href: `${pageRoutes.settings}#decisiones`, label: 'Ver' };
  showStatus({ text: `${text} ${told}`, links: [link] });
}
