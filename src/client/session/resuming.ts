import { isForGuests } from '../router/match-page.ts';
import type { Store } from '../state/store.ts';
import { resume } from './remembered-browser.ts';
import { saveSession } from './save-session.ts';

/** Whether the styles hide both the guest's and the user's parts of the page. */
export const isResuming = () => document.documentElement.dataset.session === 'resuming';

function endResuming(): void {
  if (isResuming()) delete document.documentElement.dataset.session;
}

/** Calls the listener when resuming has ended or timed out. @returns a function that removes the listener */
export function onResumed(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-session'] });
  return () => observer.disconnect();
}

/**
 * Signs in the remembered account in a document in which nobody has signed in yet: a document is never passed from
 * one person to another. While the server is unreachable, the page is a guest's, and the attempt is repeated when
 * the network returns or the page is shown.
 */
export function startResuming(store: Store, stopped: AbortSignal): void {
  if (store.getState().wasSignedIn) return;
  const done = new AbortController();
  const signal = AbortSignal.any([stopped, done.signal]);
  // A visible form for guests stays, since the user may be filling it in.
  const mayEnter = () => isResuming() || !isForGuests(location.pathname);

  const attempt = async () => {
    if (document.visibilityState === 'hidden' && !isResuming()) return;
    if (!mayEnter()) return;
    const outcome = await resume();
    if (signal.aborted) return;
    if (outcome === 'not remembered') done.abort();
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
