import type { NewComment } from '../../shared/comments.ts';
import { type IdempotentRequest, readRequest } from '../api/idempotent-request.ts';
import { serverNow } from '../api/server-time.ts';
import { localStore } from '../state/browser-storage.ts';
import { isText, readStored } from '../state/parse-stored.ts';

/** A comment that got no answer. Each lies under a key of its own, so that tabs do not collide. */
export interface WaitingComment extends IdempotentRequest<NewComment> {
  /** Where it stands among those that wait: the lowest is sent first. */
  place: number;
  /** When it was first sent, by the server's clock; null while that is not known. */
  sentAtMs: number | null;
  /** Why the server will never take it, in its words; null while it may. */
  refusal: string | null;
}

const prefixOf = (userId: string) => `outbox ${userId} `;

const listeners = new Set<() => void>();
let version = 0;

function tellChange(): void {
  version += 1;
  for (const listener of listeners) listener();
}

/** Says when any outbox changes, in this tab or another. @returns what ends it */
export function onOutboxChange(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('storage', tellChange);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', tellChange);
  };
}

export const outboxVersion = () => version;

/** All that waits in this account's name, the oldest first. */
export function readOutbox(userId: string): WaitingComment[] {
  const prefix = prefixOf(userId);
  return localStore
    .keys()
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => readWaiting(userId, key.slice(prefix.length)) ?? [])
    .sort((a, b) => a.place - b.place);
}

export function readWaiting(userId: string, key: string): WaitingComment | null {
  return readStored(prefixOf(userId) + key, (fields) => {
    const request = readRequest<NewComment>(fields, ['id', 'comment']);
    if (request?.key !== key) return null;
    const { place, refusal } = fields;
    const sentAtMs = isNumber(fields.sentAtMs) ? fields.sentAtMs : null;
    return {
      ...request,
      // An earlier version kept only the time.
      place: isNumber(place) ? place : (sentAtMs ?? 0),
      sentAtMs,
      refusal: isText(refusal) ? refusal : null,
    };
  });
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Behind all that wait already. */
export function addWaiting(userId: string, request: IdempotentRequest<NewComment>): void {
  const place = (readOutbox(userId).at(-1)?.place ?? 0) + 1;
  keepWaiting(userId, { ...request, place, sentAtMs: serverNow(), refusal: null });
}

export function keepWaiting(userId: string, comment: WaitingComment): void {
  localStore.set(prefixOf(userId) + comment.key, JSON.stringify(comment));
  tellChange();
}

export function dropWaiting(userId: string, key: string): void {
  localStore.remove(prefixOf(userId) + key);
  tellChange();
}
