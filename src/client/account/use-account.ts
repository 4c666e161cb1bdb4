import { useCallback, useEffect } from 'react';
import { api } from '../api/api.ts';
import { useStore } from '../state/store.tsx';
import { loadAccountBundle } from './account-bundle-loader.tsx';
import { clearSession, readToken } from './session.ts';

export function useSignOut(): () => void {
  const { state, dispatch } = useStore();
  const { id } = state.user;
  return useCallback(() => {
    const token = readToken();
    if (token) api.signOut(token);
    clearSession();
    loadAccountBundle().then(
      ({ discardDraftFiles }) => discardDraftFiles(id),
      () => {},
    );
    dispatch({ type: 'LOGOUT_REQUEST' });
  }, [id, dispatch]);
}

/** Runs the background work of the account while a user is signed in. */
export function useAccount(): void {
  const { state, dispatch } = useStore();
  const { id, isLogged } = state.user;
  useEffect(() => {
    if (!isLogged) return;
    let stop: (() => void) | null = () => {};
    loadAccountBundle().then(
      ({ startAccount }) => {
        if (stop) stop = startAccount(id, dispatch);
      },
      () => {},
    );
    return () => {
      stop?.();
      stop = null;
    };
  }, [id, isLogged, dispatch]);
}
