import type { Resume, SignedIn } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { defineCall, send } from '../api/call.ts';
import { Failure, orFailure } from '../api/failures.ts';
import {
  currentToken,
  currentUserId,
  discardRemembered,
  readRemembered,
} from '../storage/session.ts';
import { endPush } from './end-push.ts';
import { saveSession } from './save-session.ts';

const openSession = defineCall<Resume, SignedIn>('POST', apiRoutes.resume);

const endRemembering = defineCall<void, undefined>('DELETE', apiRoutes.resume, { keepalive: true });

/** Whether the server has said that it does not know a session. */
export const isUnknownSession = ({ status, isRefused }: Failure) => status === 401 || isRefused;

/** The outcome of renewing a remembered session. `unreachable`: it is unknown whether the session exists. */
type Outcome = SignedIn | 'not remembered' | 'unreachable';

/** Per-tab lock: only one session is requested at a time. */
let running: { outcome: Promise<Outcome>; stop: AbortController } | undefined;

/** Requests a session of the remembered account. */
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
  const accountId = readRemembered();
  if (accountId === null) return 'not remembered';
  const opened = await orFailure(send(openSession, { accountId }, { signal }));
  // The user may have signed out, or in, in another tab before the response arrived.
  if (readRemembered() !== accountId) return 'not remembered';
  if (!(opened instanceof Failure)) return opened;
  if (!isUnknownSession(opened)) return 'unreachable';
  discardRemembered();
  endPush().catch(() => {});
  return 'not remembered';
}

/**
 * Opens a new session for this tab's user, whose token the server has rejected, if the browser still remembers the
 * same user. `renewed`: the tab now has another token of this user.
 */
export async function renewSession(token: string): Promise<'renewed' | 'lost' | 'unreachable'> {
  if (currentToken() !== token) return currentToken() ? 'renewed' : 'lost';
  const id = currentUserId();
  if (readRemembered() !== id) return 'lost';
  const outcome = await resume();
  if (outcome === 'unreachable') return outcome;
  // The tab's user may have signed out before the response arrived.
  if (outcome === 'not remembered' || currentUserId() !== id) return 'lost';
  saveSession(outcome);
  return 'renewed';
}

/** Ends the session that the server remembers for this browser, even if it belongs to another account. */
export function endRememberedBrowser() {
  // Its response, with a cookie, could arrive after the response to a later sign-in.
  running?.stop.abort();
  return send(endRemembering, undefined);
}
