import { useEffect } from 'react';
import { api } from '../api/api.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { loadAccountBundle } from './account-bundle-loader.tsx';
import { clearSession, readToken } from './session.ts';

export function useSignOut(): () => void {
  const { dispatch } = useStore();
  const { id } = useUser();
  return () => {
    const token = readToken();
    if (token) api.signOut(token);
    clearSession();
    loadAccountBundle().then(
      ({ discardDraftFiles }) => discardDraftFiles(id),
      () => {},
    );
    dispatch({ type: 'LOGOUT_REQUEST' });
  };
}

/** Runs the background work of the account while a user is signed in. */
export function useAccount(): void {
  const { dispatch } = useStore();
  const { id, isLogged } = useUser();
  useEffect(() => {
    if (!isLogged) return;
    const controller = new AbortController();
    loadAccountBundle().then(
      ({ startAccount }) => startAccount(id, dispatch, controller.signal),
      () => {},
    );
    return () => controller.abort();
  }, [id, isLogged, dispatch]);
}
