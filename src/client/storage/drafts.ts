import { useSyncExternalStore } from 'react';
import { fieldsOf } from '../../shared/fields-of.ts';
import { localStore } from './browser-storage.ts';
import { onDraftChange, readDraftText, setDraftText } from './draft-texts.ts';

/**
 * A draft in local storage. It survives the tab and the session, is shown only to the account in its key, and is
 * removed when it is sent or emptied.
 */
export interface Draft<T> {
  key: string;
  /**
   * The content of an empty form, which is not stored. Fields missing from a stored draft take their values from it.
   */
  unchanged: T;
}

/**
 * Whether a value has fields of the same types as an unchanged draft. Items of a list must be objects. If the unchanged
 * value is null, anything but a list is valid.
 */
function isLike(unchanged: unknown, value: unknown): boolean {
  if (unchanged === null) return !Array.isArray(value);
  if (Array.isArray(unchanged)) {
    return Array.isArray(value) && value.every((one) => one !== null && typeof one === 'object');
  }
  if (typeof unchanged !== 'object') return typeof value === typeof unchanged;
  const fields = fieldsOf(value);
  return Object.entries(fieldsOf(unchanged)).every(([name, one]) => isLike(one, fields[name]));
}

/** The last parsed text of each key, so that reading an unchanged draft returns the same object. */
const parsed = new Map<string, { text: string; value: unknown }>();

/** Reads a draft. Removes one whose fields have other types. */
export function readDraft<T extends object>({ key, unchanged }: Draft<T>): T {
  const text = readDraftText(key);
  if (text === null) return unchanged;
  const last = parsed.get(key);
  if (last?.text === text) return last.value as T;
  try {
    const stored = fieldsOf(JSON.parse(text));
    const value = { ...unchanged, ...stored };
    if (isLike(unchanged, value) && Object.keys(unchanged).some((name) => name in stored)) {
      parsed.set(key, { text, value });
      return value;
    }
  } catch {}
  localStore.remove(key);
  return unchanged;
}

/** A field that the user does not type. A draft that has nothing else is not stored. */
const notTyped = { request: null };

/** @param isTyping whether it may be stored when typing pauses: see `setDraftText` */
export function changeDraft<T extends object>(
  draft: Draft<T>,
  part: Partial<T>,
  isTyping = false,
): void {
  const { key, unchanged } = draft;
  const value = { ...readDraft(draft), ...part };
  const typedIn = (one: T) => JSON.stringify({ ...one, ...notTyped });
  const isUnchanged = typedIn(value) === typedIn(unchanged);
  setDraftText(key, isUnchanged ? null : JSON.stringify(value), isTyping);
}

export const discardDraft = ({ key }: { key: string }): void => setDraftText(key, null);

/** Part of a draft, including changes by other tabs. Changes to other parts do not cause a render. */
export function useDraft<T extends object, Part>(draft: Draft<T>, select: (content: T) => Part) {
  return useSyncExternalStore(
    onDraftChange,
    () => select(readDraft(draft)),
    () => select(draft.unchanged),
  );
}
