import { useCallback, useEffect } from 'react';
import { loadAccountParts } from './account-bundle-loader.tsx';
import { api } from '../api/api.ts';
import { clearSession, readToken } from './session.ts';
import { useStore } from '../state/store.tsx';

export function useSignOut(): () => void {
  const { state, dispatch } = useStore();
  const { id } = state.user;
  return useCallback(() => {
    const token = readToken();
    if (token) api.signOut(token);
    clearSession();
    loadAccountParts().then(
      ({ forgetDraftFiles }) => forgetDraftFiles(id),
      () => {},
    );
    dispatch({ type: 'LOGOUT_REQUEST' });
  }, [id, dispatch]);
}

/** What goes on beside the pages while somebody is signed in. */
export function useAccount(): void {
  const { state, dispatch } = useStore();
  const { id, isLogged } = state.user;
  useEffect(() => {
    if (!isLogged) return;
    let stop: (() => void) | null = () => {};
    loadAccountParts().then(
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
