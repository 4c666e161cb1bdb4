import { apiRoutes } from '../../shared/api-routes.ts';
import { callAsUser } from './account-call.ts';
import { readSession } from './session.ts';

const channelName = 'session';

/** Tells the other tabs that sessions of this browser may have ended. */
export function tellTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('changed');
  channel.close();
}

/**
 * While a user is signed in: asks the server whether the tab's token still holds when another tab says
 * that sessions have ended, and when the page returns from the back/forward cache.
 */
export function followTabs(signal: AbortSignal): void {
  let channel: BroadcastChannel | undefined;
  const open = () => {
    channel = new BroadcastChannel(channelName);
    channel.onmessage = checkSession;
  };
  const close = () => channel?.close();
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    open();
    checkSession();
  };
  open();
  // An open channel would keep the page out of the cache.
  addEventListener('pagehide', close, { signal });
  addEventListener('pageshow', onPageShow, { signal });
  signal.addEventListener('abort', close);
}

function checkSession(): void {
  if (readSession()) void callAsUser(apiRoutes.me);
}
