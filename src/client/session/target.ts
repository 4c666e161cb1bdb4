import { sessionStore } from '../storage/browser-storage.ts';

const key = 'target';

/** Stores the page of this site that an invitation leads to, for this tab until somebody signs in or out. */
export function keepTarget(path: string | null): void {
  if (path) sessionStore.set(key, path);
  else sessionStore.remove(key);
}

/** @returns null without an invitation that leads to a page */
export function takeTarget(): string | null {
  const path = sessionStore.get(key);
  sessionStore.remove(key);
  return path;
}
