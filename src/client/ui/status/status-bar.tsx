import type { Status } from './status-view.tsx';

export type { Status };

let last: Promise<unknown> = Promise.resolve();

/**
 * Loads in the order of the calls, so that messages are shown in theirs. Browsers end two imports of a script
 * that is still on its way in any order.
 */
function loadView() {
  const loading = last.then(() => import('./status-view.tsx'));
  last = loading.catch(() => {});
  return loading;
}

/**
 * Shows a message in the status bar, in place of the one before it, and announces it to screen
 * readers. It stays when the page changes. A text alone leaves after six seconds; links at the next change of page; an
 * action stays until it is used or closed, a brief one for half a minute.
 * @param status null only takes away the message before
 */
export function showStatus(status: Status | null): void {
  loadView().then(
    (view) => view.renderStatus(status),
    // Without its script, as offline, only the confirmation is missing.
    () => status?.onLeave?.(),
  );
}

/** Loads the status bar's script, so that messages show without a connection too. */
export function preloadStatusBar(): void {
  loadView().catch(() => {});
}
