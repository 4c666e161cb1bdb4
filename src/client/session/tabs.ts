import type { Store } from '../state/store.ts';
import { clearSession, readRemembered, readSession } from '../storage/session.ts';

const channelName = 'session';
/** Where the tab listens. It does not hear what it says there itself. */
let followed: BroadcastChannel | undefined;

/**
 * Tells other tabs that their session may have ended or their account have changed.
 * @param signedOutId of the account that has signed out of this browser, if one has
 */
export function tellTabs(signedOutId = ''): void {
  const channel = followed ?? new BroadcastChannel(channelName);
  channel.postMessage(signedOutId);
  if (channel !== followed) channel.close();
}

/**
 * Calls `check` after `tellTabs` of another tab, with what it was told, and when the page returns from the
 * back/forward cache.
 */
export function followTabs(check: (signedOutId?: unknown) => void, signal: AbortSignal): void {
  const open = () => {
    followed = new BroadcastChannel(channelName);
    followed.onmessage = ({ data }) => check(data);
  };
  const close = () => {
    followed?.close();
    followed = undefined;
  };
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    open();
    check();
  };
  open();
  // An open channel would keep the page out of the cache.
  addEventListener('pagehide', close, { signal });
  addEventListener('pageshow', onPageShow, { signal });
  signal.addEventListener('abort', close);
}

/**
 * When the page returns from the back/forward cache, shows the user who is signed in now. The page may show
 * another one, or one whom the browser no longer remembers since another tab signed out.
 * @returns a function that stops it
 */
export function followHandovers(store: Store): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let remembered: string | null = null;
  const onPageHide = () => {
    remembered = readRemembered();
  };
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    const shown = store.getState().user;
    const isForgotten = remembered === shown.id && readRemembered() !== shown.id;
    if (isForgotten && readSession()?.id === shown.id) clearSession();
    const user = readSession();
    if ((user ? user.id : '') === (shown.isLogged ? shown.id : '')) return;
    // Rendered before the browser paints, as each change of the state: discards the previous user's input.
    store.dispatch({ type: 'HANDED_OVER', user });
  };
  addEventListener('pagehide', onPageHide, { signal });
  addEventListener('pageshow', onPageShow, { signal });
  return () => stop.abort();
}
