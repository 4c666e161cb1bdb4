import { localStore } from './browser-storage.ts';

type Fields = Record<string, unknown>;

/** Builds a value from the fields of a parsed JSON object; null when they are not valid. */
type ParseFields<T> = (fields: Fields) => T | null;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

export const isText = (value: unknown): value is string => typeof value === 'string';

/** Parses stored JSON; null when it is missing or invalid, as other versions may have written it. */
export function parseStored<T>(text: string | null, parse: ParseFields<T>): T | null {
  try {
    return parse(fieldsOf(JSON.parse(text ?? 'null')));
  } catch {
    return null;
  }
}

/** Reads a value of local storage. Removes one that is not valid, and returns null. */
export function readStored<T>(key: string, parse: ParseFields<T>): T | null {
  const text = localStore.get(key);
  const value = parseStored(text, parse);
  if (text !== null && value === null) localStore.remove(key);
  return value;
}
