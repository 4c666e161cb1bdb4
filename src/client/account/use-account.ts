import { useEffect } from 'react';
import { bundles } from '../bundles.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { clearSession, readToken } from './session.ts';

export function useSignOut(): () => void {
  const { dispatch } = useStore();
  const { id } = useUser();
  return () => {
    const token = readToken() ?? '';
    clearSession();
    bundles.account
      .load()
      .then(
        ({ endAccount }) => endAccount(id, token),
        async () => (await bundles.late.load()).api.signOut(token),
      )
      .catch(() => {});
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
    bundles.account.load().then(
      ({ startAccount }) => startAccount(id, dispatch, controller.signal),
      () => {},
    );
    return () => controller.abort();
  }, [id, isLogged, dispatch]);
}

/**
 * Keeps the state's `reads` of these channels current while a user is signed in.
 * @param channelIds joined with commas, so that the same ones are the same text
 */
export function useNews(channelIds: string): void {
  const { dispatch } = useStore();
  const { id, isLogged } = useUser();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user's news are others
  useEffect(() => {
    if (!isLogged || channelIds === '') return;
    const controller = new AbortController();
    bundles.account.load().then(
      ({ followNews }) => followNews(channelIds.split(','), dispatch, controller.signal),
      () => {},
    );
    return () => controller.abort();
  }, [channelIds, id, isLogged, dispatch]);
}

/** Marks a channel's comments as read while a signed-in user reads them. */
export function useReading(channelId: string): void {
  const store = useStore();
  const { id, isLogged } = useUser();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user has read other comments
  useEffect(() => {
    if (!isLogged) return;
    const controller = new AbortController();
    bundles.account.load().then(
      ({ trackReading }) => trackReading(channelId, store, controller.signal),
      () => {},
    );
    return () => controller.abort();
  }, [channelId, id, isLogged, store]);
}
