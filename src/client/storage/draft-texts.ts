import { localStore } from './browser-storage.ts';

/** How long typed text may be only in memory. */
const writeDelayMs = 300;

/** Texts of drafts, null where there is none: read once from local storage, and again after another tab has changed it. */
const texts = new Map<string, string | null>();
/** The keys of all drafts; undefined until they are read. */
let keys: Set<string> | undefined;
/** Keys of texts that are not in local storage yet. */
const unwritten = new Set<string>();
let writing: ReturnType<typeof setTimeout> | undefined;
const changes = new EventTarget();

export function readDraftText(key: string): string | null {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = localStore.get(key);
  texts.set(key, text);
  return text;
}

/**
 * @param text null removes the draft
 * @param isTyping whether the text may be written when typing pauses, or when the page is left or hidden
 */
export function setDraftText(key: string, text: string | null, isTyping = false): void {
  texts.set(key, text);
  if (text === null) keys?.delete(key);
  else keys?.add(key);
  unwritten.add(key);
  if (isTyping) {
    writing ??= setTimeout(writeDrafts, writeDelayMs);
    tellChange();
  } else writeDrafts();
}

/** Whether a draft could not be stored and would be lost on reload. */
export const isOnlyInMemory = (key: string): boolean => localStore.isOnlyInMemory(key);

/** Whether there is such a draft. */
export const isSomeOnlyInMemory = (): boolean => localStore.keys().some(isOnlyInMemory);

/** The keys that begin with the prefix, without it. */
export function draftKeys(prefix: string): string[] {
  keys ??= new Set([...localStore.keys(), ...unwritten]);
  return [...keys].flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []));
}

/** Calls the listener when this or another tab has changed a draft. @returns a function that removes the listener */
export function onDraftChange(listener: () => void): () => void {
  changes.addEventListener('change', listener);
  return () => changes.removeEventListener('change', listener);
}

function writeDrafts(): void {
  clearTimeout(writing);
  writing = undefined;
  if (unwritten.size === 0) return;
  for (const key of unwritten) {
    const text = texts.get(key) ?? null;
    if (text === null) localStore.remove(key);
    else localStore.set(key, text);
  }
  unwritten.clear();
  tellChange();
}

const tellChange = () => changes.dispatchEvent(new Event('change'));

/** Reads again what may have been changed elsewhere, but for what was typed here since. */
function readAgain(): void {
  keys = undefined;
  for (const key of texts.keys()) if (!unwritten.has(key)) texts.delete(key);
  tellChange();
}

if (typeof window !== 'undefined') {
  // `blur` comes before another window can be used, so that no two have different texts.
  for (const type of ['blur', 'pagehide']) addEventListener(type, writeDrafts);
  document.addEventListener('visibilitychange', writeDrafts);
  // A page in the back/forward cache gets no storage events.
  for (const type of ['storage', 'pageshow']) addEventListener(type, readAgain);
}
