import { useSyncExternalStore } from 'react';
import { onStored, readStored, writeStored } from './stored-value.ts';

/**
 * A draft in local storage: it outlives the tab and the session, is shown to the account that its key
 * names only, and is removed when it is sent or emptied.
 */
export interface Draft<T> {
  key: string;
  example: T;
  defaults: Partial<T>;
  /** What is not stored: an empty form, or what is being changed as it is. */
  unchanged: T;
}

export const readDraft = <T>({ key, example, defaults, unchanged }: Draft<T>): T =>
  readStored(key, example, defaults) ?? unchanged;

/** What a draft may have besides what was typed. Alone it is not stored. */
const notTyped = { request: null, isRescued: false };

export function changeDraft<T extends object>(draft: Draft<T>, part: Partial<T>): void {
  const changed = { ...readDraft(draft), ...part };
  // The fields are in one order, whatever the order in which they are stored.
  const textOf = (value: T) => JSON.stringify({ ...draft.unchanged, ...value, ...notTyped });
  writeStored(draft.key, textOf(changed) === textOf(draft.unchanged) ? null : changed);
}

export const discardDraft = ({ key }: { key: string }): void => writeStored(key, null);

/** What is typed, in this tab and others, and a function that changes parts of it. */
export function useDraft<T extends object>(draft: Draft<T>) {
  const typed = useSyncExternalStore(
    onStored,
    () => readDraft(draft),
    () => draft.unchanged,
  );
  return [typed, (part: Partial<T>) => changeDraft(draft, part)] as const;
}

/** One part of a draft: changes of others, as of the text, do not render the component again. */
export const useDraftPart = <T extends object, Part extends keyof T>(
  draft: Draft<T>,
  part: Part,
): T[Part] => useSyncExternalStore(onStored, () => readDraft(draft)[part]);
