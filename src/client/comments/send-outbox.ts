import type { Dispatch } from 'react';
import { accountApi, fieldError } from '../account/account-api.ts';
import { failureText } from '../account/account-call.ts';
import { accountTexts } from '../account/account-texts.ts';
import { readSession } from '../account/session.ts';
import type { Failure } from '../api/api.ts';
import { isRefused } from '../api/idempotent-request.ts';
import { learnServerTime, serverNow } from '../api/server-time.ts';
import type { Action } from '../state/actions.ts';
import { liveOpened } from './live-stream.ts';
import { dropWaiting, keepWaiting, onOutboxChange, readOutbox, readWaiting } from './outbox.ts';

/** Shorter than the server remembers keys: later, what it has may be written a second time. */
const longestMs = 29 * 86_400_000;
const firstDelayMs = 2_000;
const longestDelayMs = 60_000;

/** Sends what waits in this account's name, now and whenever it may get through, until stopped. */
export function startOutbox(userId: string, dispatch: Dispatch<Action>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = firstDelayMs;

  const ending = new AbortController();
  const { signal } = ending;

  const plan = () => {
    clearTimeout(timer);
    if (signal.aborted) return;
    if (readOutbox(userId).every(({ refusal }) => refusal !== null)) return;
    timer = setTimeout(() => {
      delayMs = Math.min(longestDelayMs, delayMs * 2);
      sendWaiting(userId, dispatch).then(plan);
    }, delayMs);
  };
  const sendNow = () => {
    delayMs = firstDelayMs;
    sendWaiting(userId, dispatch).then(plan);
  };

  const forget = onOutboxChange(plan);
  addEventListener('online', sendNow, { signal });
  addEventListener(liveOpened, sendNow, { signal });
  sendNow();

  return () => {
    forget();
    ending.abort();
    clearTimeout(timer);
  };
}

/**
 * One after the other, in one tab at a time, until one is neither taken nor refused for good.
 * @returns why that one was not
 */
export function sendWaiting(userId: string, dispatch: Dispatch<Action>): Promise<Failure | null> {
  return alone(`outbox ${userId}`, async () => {
    if (readOutbox(userId).length > 0) await learnServerTime();
    for (const { key } of readOutbox(userId)) {
      // Another tab may have signed out or discarded it while the one before was on its way.
      const waiting = readWaiting(userId, key);
      if (readSession()?.id !== userId) return null;
      if (!waiting || waiting.refusal !== null) continue;
      const nowMs = serverNow();
      if (nowMs !== null && waiting.sentAtMs === null) {
        // From here on its age is known, so that it ends one day.
        keepWaiting(userId, { ...waiting, sentAtMs: nowMs });
      } else if (nowMs !== null && nowMs - (waiting.sentAtMs ?? nowMs) > longestMs) {
        keepWaiting(userId, { ...waiting, refusal: accountTexts.waitedTooLong });
        continue;
      }
      const result = await accountApi.sendComment(waiting);
      if (result.ok) {
        console.log(result.value);
        dispatch({ type: 'ADD_COMMENT', comment: result.value });
        dropWaiting(userId, key);
      } else if (isRefused(result)) {
        const refusal = fieldError(result, 'comment') ?? failureText(result);
        keepWaiting(userId, { ...waiting, refusal });
      } else return result;
    }
    return null;
  });
}

/** A site without TLS has no locks; the key alone sees to it there that nothing is written twice. */
async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request(name, work) : work();
}
