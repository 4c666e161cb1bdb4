import type { NewComment } from '../../shared/comments.ts';
import type { KeyedRequest } from '../keyed-request.ts';
import { localStore } from '../state/browser-storage.ts';

/** A comment that got no answer. Each lies under a key of its own, so that tabs do not collide. */
export interface WaitingComment extends KeyedRequest<NewComment> {
  sentAtMs: number;
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
    .sort((a, b) => a.sentAtMs - b.sentAtMs);
}

export function readWaiting(userId: string, key: string): WaitingComment | null {
  const json = localStore.get(prefixOf(userId) + key);
  return json === null ? null : (JSON.parse(json) as WaitingComment);
}

export function keepWaiting(userId: string, comment: WaitingComment): void {
  localStore.set(prefixOf(userId) + comment.key, JSON.stringify(comment));
  tellChange();
}

export function dropWaiting(userId: string, key: string): void {
  localStore.remove(prefixOf(userId) + key);
  tellChange();
}
