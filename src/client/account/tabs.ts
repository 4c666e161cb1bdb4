import { apiRoutes } from '../../shared/api-routes.ts';
import { callAsUser } from './account-call.ts';
import { clearSession, readRemembered, readSession } from './session.ts';

const channelName = 'session';

/** Tells the other tabs that sessions of this browser may have ended. */
export function tellTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('changed');
  channel.close();
}

/**
 * While a user is signed in: asks the server whether the tab's token still holds when another tab says
 * that sessions have ended, and when the page returns from the back/forward cache. The page of a
 * remembered user who has been forgotten meanwhile returns as a guest's.
 */
export function followTabs(signal: AbortSignal): void {
  let channel: BroadcastChannel | undefined;
  let remembered: string | null = null;
  const open = () => {
    channel = new BroadcastChannel(channelName);
    channel.onmessage = checkSession;
  };
  const close = () => channel?.close();
  // An open channel would keep the page out of the cache.
  const onPageHide = () => {
    remembered = readRemembered();
    close();
  };
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    const user = readSession();
    const isForgotten = user && remembered === user.id && readRemembered() !== user.id;
    if (isForgotten) clearSession();
    open();
    checkSession();
  };
  open();
  addEventListener('pagehide', onPageHide, { signal });
  // Captured: before the store compares its user with the session, and the page is painted.
  addEventListener('pageshow', onPageShow, { signal, capture: true });
  signal.addEventListener('abort', close);
}

function checkSession(): void {
  if (readSession()) void callAsUser(apiRoutes.me);
}
