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
import { saveSession } from './save-session.ts';

const openSession = defineCall<void, SignedIn>('POST', apiRoutes.resume, {
  body: () => ({}),
});

const endRemembering = defineCall<void, undefined>('DELETE', apiRoutes.resume, { keepalive: true });

/** Whether the server has said that it does not know a session. */
export const isForgotten = ({ status, isRefused }: Failure) => status === 401 || isRefused;

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
 * Opens a new session for the user of this tab, whose token the server has rejected, if the browser stays
 * signed in as the same one. `renewed`: the tab has another token of this user now.
 */
export async function renewSession(token: string): Promise<'renewed' | 'lost' | 'unreachable'> {
  if (currentToken() !== token) return currentToken() ? 'renewed' : 'lost';
  const id = currentUserId();
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

/** Ends the session that the server remembers for this browser, also that of another account. */
export function forgetBrowser() {
  // Its answer, with a cookie, could come after that of a sign-in that follows.
  running?.stop.abort();
  return send(endRemembering, undefined);
}
