import type { Profile } from '../../shared/accounts.ts';
import { request } from '../api/request.ts';
import { refreshUser } from '../session/tabs.ts';
import type { Store } from '../state/store.ts';
import { readSession } from '../storage/session.ts';
import { getProfile } from './account-calls.ts';

const listeners = new Set<(profile: Profile) => void>();

/** Calls the listener with each checked profile. @returns a function that stops it */
export function onCheckedProfile(listener: (profile: Profile) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks the server whether the tab's token still holds, and for the user's profile. */
export async function checkProfile(store: Store, signal: AbortSignal): Promise<void> {
  if (!readSession()) return;
  const result = await request(getProfile, undefined, { isBackground: true });
  if (!result.ok || signal.aborted) return;
  refreshUser(result.value, store);
  for (const listener of listeners) listener(result.value);
}
