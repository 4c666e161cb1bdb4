import type { Profile } from '../../shared/accounts.ts';
import type { Store } from '../state/store.ts';
import { readSession } from '../storage/session.ts';
import { accountApi } from './account-api.ts';
import { refreshUser } from './save-session.ts';

const channelName = 'session';

const listeners = new Set<(profile: Profile) => void>();

/**
 * Calls the listener with the user's profile whenever it was asked for because of another tab.
 * @returns a function that stops it
 */
export function onCheckedProfile(listener: (profile: Profile) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells the other tabs that sessions of this browser may have ended, or their account have changed. */
export function tellTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('changed');
  channel.close();
}

/**
 * While a user is signed in: asks the server whether the tab's token still holds, and for the user's
 * profile, when another tab says so and when the page returns from the back/forward cache.
 */
export function followTabs(store: Store, signal: AbortSignal): void {
  const checkSession = async () => {
    if (!readSession()) return;
    const result = await accountApi.getProfile();
    if (!result.ok || signal.aborted) return;
    refreshUser(result.value, store);
    for (const listener of listeners) listener(result.value);
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
