import { localStore } from './browser-storage.ts';

const changes = new EventTarget();

/** Notifies the listeners of this tab. */
export const tellDraftChange = () => changes.dispatchEvent(new Event('change'));

/** Calls the listener when this or another tab has changed a draft. @returns a function that removes the listener */
export function onDraftChange(listener: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  changes.addEventListener('change', listener, { signal });
  // A page in the back/forward cache gets no storage events.
  for (const type of ['storage', 'pageshow']) addEventListener(type, listener, { signal });
  return () => stop.abort();
}

/** The keys that begin with the prefix, without it. */
export const draftKeys = (prefix: string): string[] =>
  localStore.keys().flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : []));
