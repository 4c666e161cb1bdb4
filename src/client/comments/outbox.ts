import type { Dispatch } from 'react';
import type { NewComment } from '../../shared/comments.ts';
import { accountTexts } from '../account-texts.ts';
import { defineCall } from '../api/call.ts';
import { type Failure, isRefused } from '../api/failures.ts';
import type { IdempotentRequest } from '../api/idempotent-request.ts';
import { request } from '../api/request.ts';
import { serverNow } from '../api/server-time.ts';
import type { Action } from '../state/actions.ts';
import type { Store } from '../state/store.ts';
import { readSession } from '../storage/session.ts';
import {
  only,
  onStored,
  orNull,
  readStored,
  storedKeys,
  writeStored,
} from '../storage/stored-value.ts';
import { withTabLock } from '../storage/tab-lock.ts';
import { requestExample } from './comment-draft.ts';
import { postComment, refusalText } from './draft-body.ts';

/**
 * A comment that was sent without a response, and is sent again until the server accepts or rejects
 * it. Each has its own local storage key, so that tabs do not overwrite each other's.
 */
const queuedExample = {
  ...requestExample,
  /** Position in the queue: the lowest is sent first. */
  place: 0,
  /** When it was queued, by the server's clock; null while that is unknown. */
  sentAtMs: orNull(0),
  /** The server's reason for rejecting it for good; null while it is to be sent. */
  refusal: orNull(''),
};
export type QueuedComment = typeof queuedExample;
const defaults = { place: 0, sentAtMs: null, refusal: null };

/** Less than the server keeps idempotency keys: sent later, a comment could be stored twice. */
const maxAgeMs = 29 * 86_400_000;
const firstDelayMs = 2_000;
const longestDelayMs = 60_000;

/** Its response has the server's time, as every one. */
const askTime = defineCall('GET', '/healthz');

const prefixOf = (userId: string) => `outbox ${userId} `;

export const readQueuedComment = (userId: string, key: string): QueuedComment | null =>
  readStored(prefixOf(userId) + key, { ...queuedExample, key: only(key) }, defaults);

/** The queued comments of an account, oldest first. */
export function readOutbox(userId: string): QueuedComment[] {
  const keys = storedKeys(prefixOf(userId));
  const comments = keys.flatMap((key) => readQueuedComment(userId, key) ?? []);
  return comments.sort((a, b) => a.place - b.place);
}

/** Adds a comment at the end of the queue. */
export function enqueueComment(userId: string, request: IdempotentRequest<NewComment>): void {
  const place = (readOutbox(userId).at(-1)?.place ?? 0) + 1;
  store(userId, { ...request, ...defaults, place, sentAtMs: serverNow() });
}

const store = (userId: string, comment: QueuedComment) =>
  writeStored(prefixOf(userId) + comment.key, comment);

export const removeQueuedComment = (userId: string, key: string): void =>
  writeStored(prefixOf(userId) + key, null);

/**
 * Sends an account's queued comments: now, at growing intervals, when the network returns and when a
 * live stream opens. @returns a function that stops it
 */
export function startOutbox(userId: string, { dispatch, getState, subscribe }: Store): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = firstDelayMs;

  const schedule = () => {
    const hasUnsent = readOutbox(userId).some(({ refusal }) => refusal === null);
    if (!signal.aborted && hasUnsent) timer ??= setTimeout(send, delayMs, delayMs * 2);
  };
  const send = async (nextDelayMs: number) => {
    delayMs = Math.min(longestDelayMs, nextDelayMs);
    await sendOutbox(userId, dispatch);
    clearTimeout(timer);
    timer = undefined;
    schedule();
  };
  const sendNow = () => send(firstDelayMs);

  const stopSchedule = onStored(schedule);
  let { liveStreams } = getState();
  const unsubscribe = subscribe(() => {
    if (getState().liveStreams === liveStreams) return;
    liveStreams = getState().liveStreams;
    sendNow();
  });
  addEventListener('online', sendNow, { signal });
  sendNow();

  return () => {
    stopSchedule();
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
    const mustAskTime = serverNow() === null && readOutbox(userId).length > 0;
    if (mustAskTime) await request(askTime, undefined);
    for (const { key } of readOutbox(userId)) {
      // The user may have signed out or discarded this comment while the previous one was sent.
      const queued = readQueuedComment(userId, key);
      if (readSession()?.id !== userId) return null;
      if (!queued || queued.refusal !== null) continue;
      const nowMs = serverNow();
      // Without the server's time its age is unknown, so it could be sent a second time.
      if (nowMs === null) return { problem: null };
      const sentAtMs = queued.sentAtMs ?? nowMs;
      if (nowMs - sentAtMs > maxAgeMs) {
        store(userId, { ...queued, refusal: accountTexts.queuedTooLong });
        continue;
      }
      store(userId, { ...queued, sentAtMs });
      const result = await postComment(queued, dispatch);
      if (result.ok) removeQueuedComment(userId, key);
      else if (isRefused(result)) store(userId, { ...queued, refusal: refusalText(result) });
      else return result;
    }
    return null;
  });
}
