import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Failure, orFailure } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { callKey, useUserQuery } from '../api/user-query.ts';
import type { Store } from '../state/store.ts';
import { useStore } from '../state/store-provider.tsx';
import { readSession } from '../storage/session.ts';
import { getProfile } from './account-calls.ts';
import { refreshUser } from './save-session.ts';

/** The profile of the signed-in user. Updates the name, e-mail address and image shown on the page. */
export function useProfile() {
  const store = useStore();
  const profile = useUserQuery(getProfile);
  useEffect(() => {
    if (profile.data) refreshUser(profile.data, store);
  }, [profile.data, store]);
  return profile;
}

/** Checks whether the server still accepts the tab's token, and updates the user's profile. */
export async function checkProfile(
  store: Store,
  queryClient: QueryClient,
  signal: AbortSignal,
): Promise<void> {
  if (!readSession()) return;
  const profile = await orFailure(request(getProfile, undefined, { isBackground: true }));
  if (profile instanceof Failure || signal.aborted) return;
  refreshUser(profile, store);
  const queryKey = callKey(profile.id, getProfile);
  // An older response still pending would undo the change.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, profile);
}
