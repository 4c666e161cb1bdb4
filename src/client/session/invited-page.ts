import { sessionStore } from '../storage/browser-storage.ts';

const key = 'invited-page';

/** Stores the page of this site that an invitation leads to, for this tab until somebody signs in or out. */
export function keepInvitedPage(path: string | null): void {
  if (path) sessionStore.set(key, path);
  else sessionStore.remove(key);
}

/** @returns null without an invitation that leads to a page */
export function takeInvitedPage(): string | null {
  const path = sessionStore.get(key);
  sessionStore.remove(key);
  return path;
}
