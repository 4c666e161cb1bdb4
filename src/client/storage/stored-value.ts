import { localStore } from './browser-storage.ts';

type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

export const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Whether a value has the fields of an example, of the same types. Every item of a list is like the
 * first of the example's, and a function of the example decides itself.
 */
function isLike<T>(example: T, value: unknown): value is T {
  if (typeof example === 'function') return example(value);
  if (Array.isArray(example)) {
    return Array.isArray(value) && value.every((item) => isLike(example[0], item));
  }
  if (typeof example !== 'object') return typeof value === typeof example;
  const fields = fieldsOf(value);
  return Object.entries(fieldsOf(example)).every(([name, one]) => isLike(one, fields[name]));
}

/** In an example, what may be null too. */
export const orNull = <T>(example: T): T | null =>
  ((value: unknown) => value === null || isLike(example, value)) as T | null;

/** In an example, the only valid value. */
export const only = <T>(valid: T): T => ((value: unknown) => value === valid) as T;

/** The last parsed text of each key, so that a value that has not changed is the same object. */
const parsed = new Map<string, { text: string; value: unknown }>();
const listeners = new Set<() => void>();

/**
 * Reads a value of local storage. Removes one that is not like the example, and returns null.
 * @param defaults of the fields that values of earlier versions lack
 */
export function readStored<T>(key: string, example: T, defaults: Partial<T>): T | null {
  const text = localStore.get(key);
  if (text === null) return null;
  const last = parsed.get(key);
  if (last?.text === text) return last.value as T;
  try {
    const value: unknown = { ...defaults, ...fieldsOf(JSON.parse(text)) };
    if (isLike(example, value)) {
      parsed.set(key, { text, value });
      return value;
    }
  } catch {}
  localStore.remove(key);
  return null;
}

/** Stores a value, or removes it when it is null, and notifies this tab and others. */
export function writeStored(key: string, value: object | null): void {
  const text = JSON.stringify(value);
  parsed.set(key, { text, value });
  if (value) localStore.set(key, text);
  else localStore.remove(key);
  for (const listener of listeners) listener();
}

/** The ends of the keys that begin with the prefix. */
export const storedKeys = (prefix: string): string[] =>
  localStore.keys().flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []));

/** Calls the listener when this tab or another has stored something. @returns a function that stops it */
export function onStored(listener: () => void): () => void {
  const stop = new AbortController();
  listeners.add(listener);
  addEventListener('storage', listener, { signal: stop.signal });
  // A page in the back/forward cache gets no storage events.
  addEventListener('pageshow', listener, { signal: stop.signal });
  return () => {
    listeners.delete(listener);
    stop.abort();
  };
}
