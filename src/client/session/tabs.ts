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
