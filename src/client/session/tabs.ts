const channelName = 'session';

/** Tells the other tabs that sessions of this browser may have ended, or their account have changed. */
export function tellTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('changed');
  channel.close();
}

/** Calls `check` when another tab tells of a change, and when the page returns from the back/forward cache. */
export function followTabs(check: () => void, signal: AbortSignal): void {
  let channel: BroadcastChannel | undefined;
  const open = () => {
    channel = new BroadcastChannel(channelName);
    channel.onmessage = check;
  };
  const close = () => channel?.close();
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
