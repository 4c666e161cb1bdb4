import { isForGuests } from '../dom/match-page.ts';
import type { Store } from '../state/store.ts';
import { resume } from './remembered-browser.ts';
import { saveSession } from './save-session.ts';

/** Whether the styles hide both the guest's and the user's parts of the page. */
export const isResuming = () => document.documentElement.dataset.session === 'resuming';

function endResuming(): void {
  if (isResuming()) delete document.documentElement.dataset.session;
}

/** Calls the listener when resuming has ended, or taken too long. @returns a function that stops it */
export function onResumed(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-session'] });
  return () => observer.disconnect();
}

/**
 * Signs in the remembered account on a page that nobody has signed in to: one that belonged to a person is
 * not handed to another. While the server cannot be reached, the page is a guest's, and it is tried again when the
 * network returns or the page is shown.
 */
export function startResuming(store: Store, stopped: AbortSignal): void {
  if (store.getState().wasSignedIn) return;
  const done = new AbortController();
  const signal = AbortSignal.any([stopped, done.signal]);
  // A form for guests that is shown, and perhaps filled in, stays.
  const mayEnter = () => isResuming() || !isForGuests(location.pathname);

  const attempt = async () => {
    if (document.visibilityState === 'hidden' && !isResuming()) return;
    if (!mayEnter()) return;
    const outcome = await resume();
    if (signal.aborted) return;
    if (outcome === 'forgotten') done.abort();
    else if (outcome !== 'unreachable' && mayEnter()) {
      done.abort();
      saveSession(outcome);
      store.dispatch({ type: 'LOGIN_REQUEST', user: outcome.user });
    }
    endResuming();
  };

  addEventListener('online', attempt, { signal });
  document.addEventListener('visibilitychange', attempt, { signal });
  void attempt();
}
