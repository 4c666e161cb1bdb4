import type { Dispatch } from 'react';
import type { Comment, NewComment } from '../../shared/comments.ts';
import { accountTexts } from '../account-texts.ts';
import { defineCall } from '../api/call.ts';
import { type Failure, fieldError, isRefused, type Result, refusalText } from '../api/failures.ts';
import type { IdempotentRequest } from '../api/idempotent-request.ts';
import { type RequestOptions, request } from '../api/request.ts';
import { serverNow } from '../api/server-time.ts';
import type { Action } from '../state/actions.ts';
import type { Store } from '../state/store.ts';
import {
  changeDraft,
  type Draft,
  discardDraft,
  draftKeys,
  onDraftChange,
  orNull,
  readDraft,
} from '../storage/drafts.ts';
import { readSession } from '../storage/session.ts';
import { withTabLock } from '../storage/tab-lock.ts';
import { sendComment } from './comment-calls.ts';
import { requestExample } from './comment-draft.ts';

const queuedExample = {
  ...requestExample,
  /** Its position in the queue, by the name that is stored: the lowest is sent first. */
  place: 0,
  /** When it was queued, by the server's clock; null while that is unknown. */
  sentAtMs: orNull(0),
  /** The server's reason for rejecting it for good; null while it is to be sent. */
  refusal: orNull(''),
};
export type QueuedComment = typeof queuedExample;
const unqueued: QueuedComment = { ...queuedExample, sentAtMs: null, refusal: null };

/** Less than the server keeps idempotency keys: sent later, a comment could be stored twice. */
const maxAgeMs = 29 * 86_400_000;
const firstDelayMs = 2_000;
const longestDelayMs = 60_000;

/** Its response tells the server's time, as any other. */
const askTime = defineCall('GET', '/healthz');

const prefixOf = (userId: string) => `outbox ${userId} `;

/**
 * A comment that was sent without a response, and is sent again until the server accepts or rejects
 * it. Each is a draft of its own, so that tabs do not overwrite each other's. Its key is '' when it is
 * not in the queue.
 */
export const queuedDraft = (userId: string, key: string): Draft<QueuedComment> => ({
  key: prefixOf(userId) + key,
  example: { ...queuedExample, key },
  unchanged: unqueued,
});

/** The queued comments of an account, oldest first. */
export const readOutbox = (userId: string): QueuedComment[] =>
  draftKeys(prefixOf(userId))
    .map((key) => readDraft(queuedDraft(userId, key)))
    .filter(({ key }) => key !== '')
    .sort((a, b) => a.place - b.place);

/** Adds a comment at the end of the queue. */
export function enqueueComment(userId: string, request: IdempotentRequest<NewComment>): void {
  const last = readOutbox(userId).at(-1)?.place ?? 0;
  const queued = { ...request, place: last + 1, sentAtMs: serverNow() };
  changeDraft(queuedDraft(userId, request.key), queued);
}

/** Sends a new comment and adds it to the state. A quotation that the original lacks now is left out. */
export async function postComment(
  { key, body }: IdempotentRequest<NewComment>,
  dispatch: Dispatch<Action>,
  options?: RequestOptions,
): Promise<Result<Comment>> {
  let result = await request(sendComment, { key, body }, options);
  if (!result.ok && fieldError(result, 'replyExcerpt') !== undefined) {
    const { replyExcerpt, ...rest } = body;
    result = await request(sendComment, { key: `${key}-2`, body: rest }, options);
  }
  if (result.ok) {
    // As specified, the response is written to the console.
    console.log(result.value);
    dispatch({ type: 'ADD_COMMENT', comment: result.value });
  }
  return result;
}

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
    await sendOutbox(userId, dispatch, { isBackground: true });
    clearTimeout(timer);
    timer = undefined;
    schedule();
  };
  const sendNow = () => send(firstDelayMs);

  const stopSchedule = onDraftChange(schedule);
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
export function sendOutbox(
  userId: string,
  dispatch: Dispatch<Action>,
  options?: RequestOptions,
): Promise<Failure | null> {
  return withTabLock(`outbox ${userId}`, async () => {
    const comments = readOutbox(userId);
    if (comments.length > 0 && serverNow() === null) await request(askTime, undefined);
    for (const { key } of comments) {
      const draft = queuedDraft(userId, key);
      const queued = readDraft(draft);
      // The user may have signed out or discarded this comment while the previous one was sent.
      if (readSession()?.id !== userId) return null;
      if (queued.key === '' || queued.refusal !== null) continue;
      const nowMs = serverNow();
      // Without the server's time its age is unknown, so it could be sent a second time.
      if (nowMs === null) return { problem: null };
      const sentAtMs = queued.sentAtMs ?? nowMs;
      const isTooOld = nowMs - sentAtMs > maxAgeMs;
      changeDraft(draft, isTooOld ? { refusal: accountTexts.queuedTooLong } : { sentAtMs });
      if (isTooOld) continue;
      const result = await postComment(queued, dispatch, options);
      if (result.ok) discardDraft(draft);
      else if (isRefused(result)) changeDraft(draft, { ...queued, refusal: refusalText(result) });
      else return result;
    }
    return null;
  });
}
