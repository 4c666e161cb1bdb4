import type { SignedIn } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { defineCall, send } from '../api/call.ts';
import { Failure, orFailure } from '../api/failures.ts';
import {
  currentToken,
  currentUserId,
  forgetRemembered,
  readRemembered,
  setRemembered,
} from '../storage/session.ts';
import { endToken, isForgotten } from './end-session.ts';
import { saveSession } from './save-session.ts';

const openSession = defineCall<void, SignedIn>('POST', apiRoutes.resume, {
  body: () => ({}),
});

const endRemembering = defineCall<void, undefined>('DELETE', apiRoutes.resume, { keepalive: true });

/** The outcome of renewing a remembered session; `unreachable` leaves open whether there is one. */
type Outcome = SignedIn | 'forgotten' | 'unreachable';

/** A lock of the tab: a session is asked for once at a time. */
let running: { outcome: Promise<Outcome>; stop: AbortController } | undefined;

/** Asks the server for a session of the remembered account. */
export function resume(): Promise<Outcome> {
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
