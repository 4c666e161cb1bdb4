import { useStore, useUser } from '../state/store-provider.tsx';
import { clearSession, forgetRemembered, readToken } from '../storage/session.ts';
import { endToken } from './resume.ts';

export function useSignOut(): () => void {
  const { dispatch } = useStore();
  const { id } = useUser();
  return () => {
    const token = readToken() ?? '';
    clearSession();
    forgetRemembered();
    import('../account/end-account.ts')
      .then(
        ({ endAccount }) => endAccount(id, token),
        () => endToken(token),
      )
      .catch(() => {});
    dispatch({ type: 'LOGOUT_REQUEST' });
  };
}
