const channelName = 'session';
/** The channel on which this tab listens. It does not receive its own messages. */
let followed: BroadcastChannel | undefined;

/** In place of an account's id: all accounts are signing out of this browser. */
export const everyAccount = '*';

/**
 * Tells other tabs that their session may have ended or their account may have changed.
 * @param signedOutId id of the account that is signing out of this browser, if one is, or `everyAccount`
 */
export function tellTabs(signedOutId = ''): void {
  const channel = followed ?? new BroadcastChannel(channelName);
  channel.postMessage(signedOutId);
  if (channel !== followed) channel.close();
}

/**
 * Calls `check` with each message of another tab's `tellTabs`, and when the page returns from the back/forward
 * cache.
 */
export function followTabs(check: (signedOutId?: unknown) => unknown, signal: AbortSignal): void {
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
  // An open channel would keep the page out of the back/forward cache.
  addEventListener('pagehide', close, { signal });
  addEventListener('pageshow', onPageShow, { signal });
  signal.addEventListener('abort', close);
}
