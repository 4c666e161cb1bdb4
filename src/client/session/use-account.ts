import { bundles } from '../bundles.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { clearSession, forgetRemembered, readToken } from '../storage/session.ts';

export function useSignOut(): () => void {
  const { dispatch } = useStore();
  const { id } = useUser();
  return () => {
    const token = readToken() ?? '';
    clearSession();
    forgetRemembered();
    bundles.account
      .load()
      .then(
        ({ endAccount }) => endAccount(id, token),
        async () => (await bundles.late.load()).endToken(token),
      )
      .catch(() => {});
    dispatch({ type: 'LOGOUT_REQUEST' });
  };
}
