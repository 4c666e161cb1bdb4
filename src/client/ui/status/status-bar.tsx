import type { Status } from './status-view.tsx';

export type { Status };

let last: Promise<unknown> = Promise.resolve();

/**
 * Loads in the order of the calls, so that messages are shown in order: browsers resolve two imports of a script
 * that is still loading in any order.
 */
function loadView() {
  const loading = last.then(() => import('./status-view.tsx'));
  last = loading.catch(() => {});
  return loading;
}

/**
 * Shows a message in the status bar, replacing the previous one, and announces it to screen readers. It stays when
 * the page changes. A message with only text disappears after six seconds; with links, after twelve, at the next press
 * elsewhere and at the next change of page; with an action, when it is used or closed, or after half a minute if it is brief.
 * @param status null only removes the previous message
 */
export function showStatus(status: Status | null): void {
  loadView()
    .then((view) => view.renderStatus(status))
    // If the script failed to load, for example offline, only the confirmation is missing.
    .catch(() => {});
}

/** Preloads the status bar's script, so that messages can be shown while offline. */
export function preloadStatusBar(): void {
  loadView().catch(() => {});
}
