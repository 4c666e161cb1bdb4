import { localStore } from './browser-storage.ts';

type Fields = Record<string, unknown>;

/** Takes what is kept from a value's fields; null when they are not what they should be. */
type ReadFields<T> = (fields: Fields) => T | null;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

export const isText = (value: unknown): value is string => typeof value === 'string';

/** What a stored text says, or null: anything may stand there, left by another version or by hand. */
export function parseStored<T>(text: string | null, read: ReadFields<T>): T | null {
  try {
    return read(fieldsOf(JSON.parse(text ?? 'null')));
  } catch {
    return null;
  }
}

/** What lies under a key of local storage. What is not readable is dropped: it never will be. */
export function readStored<T>(key: string, read: ReadFields<T>): T | null {
  const text = localStore.get(key);
  const value = parseStored(text, read);
  if (text !== null && value === null) localStore.remove(key);
  return value;
}
