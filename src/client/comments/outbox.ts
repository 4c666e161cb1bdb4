import type { NewComment } from '../../shared/comments.ts';
import { type IdempotentRequest, readRequest } from '../api/idempotent-request.ts';
import { serverNow } from '../api/server-time.ts';
import { localStore } from '../storage/browser-storage.ts';
import { isText, readStored } from '../storage/stored-value.ts';

/**
 * A comment that was sent without a response, and is sent again until the server accepts or rejects
 * it. Each has its own local storage key, so that tabs do not overwrite each other's.
 */
export interface QueuedComment extends IdempotentRequest<NewComment> {
  /** Position in the queue: the lowest is sent first. */
  place: number;
  /** When it was queued, by the server's clock; null while that is unknown. */
  sentAtMs: number | null;
  /** The server's reason for rejecting it for good; null while it is to be sent. */
  refusal: string | null;
}

const outboxPrefix = 'outbox ';
const prefixOf = (userId: string) => `${outboxPrefix}${userId} `;

/** Subscribes to changes of any outbox, in this tab or another. @returns a function that unsubscribes */
export function onOutboxChange(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(outboxPrefix)) listener();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** The queued comments of an account, oldest first. */
export function readOutbox(userId: string): QueuedComment[] {
  const prefix = prefixOf(userId);
  return localStore
    .keys()
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => readQueuedComment(userId, key.slice(prefix.length)) ?? [])
    .sort((a, b) => a.place - b.place);
}

export function readQueuedComment(userId: string, key: string): QueuedComment | null {
  return readStored(prefixOf(userId) + key, (fields) => {
    const request = readRequest<NewComment>(fields, ['id', 'comment']);
    if (request?.key !== key) return null;
    const { place, sentAtMs, refusal } = fields;
    return {
      ...request,
      place: isNumber(place) ? place : 0,
      sentAtMs: isNumber(sentAtMs) ? sentAtMs : null,
      refusal: isText(refusal) ? refusal : null,
    };
  });
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Adds a comment at the end of the queue. */
export function enqueueComment(userId: string, request: IdempotentRequest<NewComment>): void {
  const place = (readOutbox(userId).at(-1)?.place ?? 0) + 1;
  storeQueuedComment(userId, { ...request, place, sentAtMs: serverNow(), refusal: null });
}

export function storeQueuedComment(userId: string, comment: QueuedComment): void {
  const storeKey = prefixOf(userId) + comment.key;
  localStore.set(storeKey, JSON.stringify(comment));
  notifyThisTab(storeKey);
}

export function removeQueuedComment(userId: string, key: string): void {
  const storeKey = prefixOf(userId) + key;
  localStore.remove(storeKey);
  notifyThisTab(storeKey);
}

/** The browser sends storage events to other tabs only. */
function notifyThisTab(key: string): void {
  dispatchEvent(new StorageEvent('storage', { key }));
}
