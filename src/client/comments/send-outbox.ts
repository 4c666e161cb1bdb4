import type { Dispatch } from 'react';
import { accountTexts } from '../account-texts.ts';
import { type Failure, isRefused } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { learnServerTime, serverNow } from '../api/server-time.ts';
import type { Action } from '../state/actions.ts';
import { readSession } from '../storage/session.ts';
import { sendComment } from './comment-calls.ts';
import { isExcerptRefused, refusalText, withoutExcerpt } from './draft-body.ts';
import { liveOpened } from './live-opened.ts';
import {
  onOutboxChange,
  readOutbox,
  readQueuedComment,
  removeQueuedComment,
  storeQueuedComment,
} from './outbox.ts';

/** Less than the server keeps idempotency keys: sent later, a comment could be stored twice. */
const maxAgeMs = 29 * 86_400_000;
const firstDelayMs = 2_000;
const longestDelayMs = 60_000;

/**
 * Sends an account's queued comments: now, at growing intervals, when the network returns and when a
 * live stream opens. @returns a function that stops it
 */
export function startOutbox(userId: string, dispatch: Dispatch<Action>): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = firstDelayMs;

  const schedule = () => {
    clearTimeout(timer);
    const hasUnsent = readOutbox(userId).some(({ refusal }) => refusal === null);
    if (signal.aborted || !hasUnsent) return;
    timer = setTimeout(() => {
      delayMs = Math.min(longestDelayMs, delayMs * 2);
      sendOutbox(userId, dispatch).then(schedule);
    }, delayMs);
  };
  const sendNow = () => {
    delayMs = firstDelayMs;
    sendOutbox(userId, dispatch).then(schedule);
  };

  const unsubscribe = onOutboxChange(schedule);
  addEventListener('online', sendNow, { signal });
  addEventListener(liveOpened, sendNow, { signal });
  sendNow();

  return () => {
    unsubscribe();
    stop.abort();
    clearTimeout(timer);
  };
}

/**
 * Sends the queued comments in order, in one tab at a time, until one is neither accepted nor
 * rejected for good. @returns the failure of that one, or null when none is left to send
 */
export function sendOutbox(userId: string, dispatch: Dispatch<Action>): Promise<Failure | null> {
  return withTabLock(`outbox ${userId}`, async () => {
    if (readOutbox(userId).length > 0) await learnServerTime();
    for (const { key } of readOutbox(userId)) {
      // The user may have signed out or discarded this comment while the previous one was sent.
      const queued = readQueuedComment(userId, key);
      if (readSession()?.id !== userId) return null;
      if (!queued || queued.refusal !== null) continue;
      const nowMs = serverNow();
      // Without the server's time its age is unknown, so it could be sent a second time.
      if (nowMs === null && queued.sentAtMs !== null) return { problem: null };
      if (nowMs !== null && queued.sentAtMs === null) {
        // From now on its age is known, and can reach the maximum.
        storeQueuedComment(userId, { ...queued, sentAtMs: nowMs });
      } else if (nowMs !== null && nowMs - (queued.sentAtMs ?? nowMs) > maxAgeMs) {
        storeQueuedComment(userId, { ...queued, refusal: accountTexts.queuedTooLong });
        continue;
      }
      let result = await request(sendComment, queued);
      if (!result.ok && isExcerptRefused(result)) {
        result = await request(sendComment, withoutExcerpt(queued));
      }
      if (result.ok) {
        console.log(result.value);
        dispatch({ type: 'ADD_COMMENT', comment: result.value });
        removeQueuedComment(userId, key);
      } else if (isRefused(result)) {
        storeQueuedComment(userId, { ...queued, refusal: refusalText(result) });
      } else return result;
    }
    return null;
  });
}

/**
 * Runs `work` in one tab at a time. A site without TLS has no `navigator.locks`; two tabs may send
 * the same comment there, and its idempotency key prevents that it is stored twice.
 */
async function withTabLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request(name, work) : work();
}
