import type { SignedIn } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { defineCall, send } from '../api/call.ts';
import { Failure, orFailure } from '../api/failures.ts';
import { isForGuests } from '../router/match-page.ts';
import type { Store } from '../state/store.ts';
import {
  currentToken,
  currentUserId,
  forgetRemembered,
  readRemembered,
  setRemembered,
} from '../storage/session.ts';
import { saveSession, tellTabs } from './tabs.ts';

const openSession = defineCall<void, SignedIn>('POST', apiRoutes.resume, {
  body: () => ({}),
});

const endRemembering = defineCall<void, undefined>('DELETE', apiRoutes.resume, { keepalive: true });

const signOut = defineCall<void, undefined>('POST', apiRoutes.signOut, { keepalive: true });

/** The outcome of renewing a remembered session; `unreachable` leaves open whether there is one. */
type Outcome = SignedIn | 'forgotten' | 'unreachable';

/** A lock of the tab: a session is asked for once at a time. */
let running: { outcome: Promise<Outcome>; stop: AbortController } | undefined;

/** Asks the server for a session of the remembered account. */
function resume(): Promise<Outcome> {
  if (!running) {
    const stop = new AbortController();
    const outcome = requestSession(stop.signal).finally(() => {
      running = undefined;
    });
    running = { outcome, stop };
  }
  return running.outcome;
}

async function requestSession(signal: AbortSignal): Promise<Outcome> {
  const asked = readRemembered();
  if (asked === null) return 'forgotten';
  const opened = await orFailure(send(openSession, undefined, { signal }));
  // Somebody may have signed out, or in, in another tab meanwhile.
  if (readRemembered() !== asked) return 'forgotten';
  if (!(opened instanceof Failure)) {
    setRemembered(opened.user.id);
    return opened;
  }
  if (!isForgotten(opened)) return 'unreachable';
  forgetRemembered();
  return 'forgotten';
}

const isForgotten = ({ status, isRefused }: Failure) => status === 401 || isRefused;

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
 * not handed to another. While the server cannot be
 * reached, the page is a guest's, and it is tried again when the network returns or the page is shown.
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

/**
 * Opens a new session for a user of this tab, whose token the server has rejected, if the browser stays
 * signed in as the same one. `renewed`: the tab has another token of this user now.
 * @param id of the user whom the token belonged to; somebody else may be signed in by now
 */
export async function renewSession(
  token: string,
  id: string,
): Promise<'renewed' | 'lost' | 'unreachable'> {
  if (!id || currentUserId() !== id) return 'lost';
  if (currentToken() !== token) return currentToken() ? 'renewed' : 'lost';
  if (readRemembered() !== id) return 'lost';
  const outcome = await resume();
  if (outcome === 'unreachable') return outcome;
  // The tab's user may have signed out meanwhile.
  if (outcome === 'forgotten' || outcome.user.id !== id || currentUserId() !== id) {
    return 'lost';
  }
  saveSession(outcome);
  return 'renewed';
}

/** Ends the session of a token. @returns whether the server does not know it any more */
export async function endToken(token: string): Promise<boolean> {
  const failure = await orFailure(send(signOut, undefined, { token }));
  return !failure || isForgotten(failure);
}

/**
 * Ends the session of a token as soon as the server answers, while the page is open. The token is kept in
 * memory alone.
 * @param onFailure called when the server has not answered; it is asked again by `retry` or when the connection returns
 */
export async function endSession(token: string, onFailure?: (retry: () => void) => void) {
  while (!(await endToken(token))) {
    await new Promise<void>((retry) => {
      addEventListener('online', () => retry(), { once: true });
      onFailure?.(retry);
    });
  }
}

/** Ends the session that the server remembers for this browser, also that of another account. */
export function forgetBrowser() {
  // Its answer, with a cookie, could come after that of a sign-in that follows.
  running?.stop.abort();
  return send(endRemembering, undefined);
}

/**
 * Signs in by `send`. Whoever was remembered before is forgotten first, so that nobody comes back as
 * somebody else.
 * @param isRemembered whether the browser stays signed in, for which `send` asks the server
 * @throws `Failure`
 */
export async function signInAfresh(
  send: () => Promise<SignedIn>,
  isRemembered: boolean,
): Promise<SignedIn> {
  forgetRemembered();
  try {
    const failure = await orFailure(forgetBrowser());
    // A site under an address that is not its own refuses to forget, but remembers nobody either.
    if (failure && !failure.isRefused) throw failure;
    const signedIn = await send();
    if (isRemembered) setRemembered(signedIn.user.id);
    return signedIn;
  } finally {
    tellTabs();
  }
}
