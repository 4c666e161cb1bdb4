import { useSyncExternalStore } from 'react';
import { localStore } from './browser-storage.ts';

/**
 * A draft in local storage: it outlives the tab and the session, is shown to the account that its key
 * names only, and is removed when it is sent or emptied.
 */
export interface Draft<T> {
  key: string;
  /** Fields of the same types: see `isLike`. */
  example: T;
  /** The content that is not stored, as of an empty form. Drafts take the fields that they lack from it. */
  unchanged: T;
}

/**
 * Whether a value has the fields of an example, of the same types. A text of the example that is not
 * empty is the only valid one, the items of a list are like the first, and a function decides itself.
 */
function isLike<T>(example: T, value: unknown): value is T {
  if (typeof example === 'function') return example(value);
  if (Array.isArray(example)) {
    return Array.isArray(value) && value.every((item) => isLike(example[0], item));
  }
  if (typeof example !== 'object') {
    return typeof value === typeof example && (!example || value === example);
  }
  return Object.entries(Object(example)).every(([name, one]) => isLike(one, Object(value)[name]));
}

/** In an example, what may be null too. */
export const orNull = <T>(example: T): T | null =>
  ((value: unknown) => value === null || isLike(example, value)) as T | null;

/** The last parsed text of each key, so that a draft that has not changed is the same object. */
const parsed = new Map<string, { text: string; value: unknown }>();

/** Reads a draft. Removes one that is not like the example. */
export function readDraft<T extends object>({ key, example, unchanged }: Draft<T>): T {
  const text = localStore.get(key);
  if (text === null) return unchanged;
  const last = parsed.get(key);
  if (last?.text === text) return last.value as T;
  try {
    const stored = Object(JSON.parse(text));
    const value = { ...unchanged, ...stored };
    if (isLike(example, value) && Object.keys(example).some((name) => name in stored)) {
      parsed.set(key, { text, value });
      return value;
    }
  } catch {}
  localStore.remove(key);
  return unchanged;
}

/** Called when this tab has changed a draft. */
const listeners = new Set<() => void>();
function notify(): void {
  for (const listener of listeners) listener();
}

/** Fields of a draft that nobody types. Alone they are not stored. */
const notTyped = { request: null, isRescued: false };

export function changeDraft<T extends object>(draft: Draft<T>, part: Partial<T>): void {
  const { key, unchanged } = draft;
  const value = { ...readDraft(draft), ...part };
  // The fields are in one order, whatever the order in which they are stored.
  const typedIn = (one: T) => JSON.stringify({ ...unchanged, ...one, ...notTyped });
  if (typedIn(value) === typedIn(unchanged)) localStore.remove(key);
  else {
    const text = JSON.stringify(value);
    parsed.set(key, { text, value });
    localStore.set(key, text);
  }
  notify();
}

export function discardDraft({ key }: { key: string }): void {
  localStore.remove(key);
  notify();
}

/** Calls the listener when this tab or another has changed a draft. @returns a function that stops it */
export function onDraftChange(listener: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  listeners.add(listener);
  // A page in the back/forward cache gets no storage events.
  for (const type of ['storage', 'pageshow']) addEventListener(type, listener, { signal });
  return () => {
    listeners.delete(listener);
    stop.abort();
  };
}

/** The content of a draft, also as other tabs change it, and a function that changes parts of it. */
export function useDraft<T extends object>(draft: Draft<T>) {
  const typed = useSyncExternalStore(
    onDraftChange,
    () => readDraft(draft),
    () => draft.unchanged,
  );
  return [typed, (part: Partial<T>) => changeDraft(draft, part)] as const;
}

/** One part of a draft: changes of others, as of the text, do not render the component again. */
export const useDraftPart = <T extends object, Part extends keyof T>(
  draft: Draft<T>,
  part: Part,
): T[Part] => useSyncExternalStore(onDraftChange, () => readDraft(draft)[part]);

/** The ends of the keys that begin with the prefix. */
export const draftKeys = (prefix: string): string[] =>
  localStore.keys().flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []));
