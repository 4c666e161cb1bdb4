import type { Store } from '../state/store.ts';
import { accountApi } from './account-api.ts';
import { refreshUser } from './save-session.ts';
import { readSession } from './session.ts';

const channelName = 'session';

/** Tells the other tabs that sessions of this browser may have ended, or their user have changed. */
export function tellTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('changed');
  channel.close();
}

/**
 * While a user is signed in: asks the server whether the tab's token still holds, and for the user's
 * name and picture, when another tab says so and when the page returns from the back/forward cache.
 */
export function followTabs(store: Store, signal: AbortSignal): void {
  const checkSession = async () => {
    if (!readSession()) return;
    const result = await accountApi.getProfile();
    if (result.ok && !signal.aborted) refreshUser(result.value, store);
  };
  let channel: BroadcastChannel | undefined;
  const open = () => {
    channel = new BroadcastChannel(channelName);
    channel.onmessage = checkSession;
  };
  const close = () => channel?.close();
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    open();
    void checkSession();
  };
  open();
  // An open channel would keep the page out of the cache.
  addEventListener('pagehide', close, { signal });
  addEventListener('pageshow', onPageShow, { signal });
  signal.addEventListener('abort', close);
}
