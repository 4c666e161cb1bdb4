import type { User } from '../../shared/accounts.ts';
import type { Store } from '../state/store.ts';
import { readSession } from '../storage/session.ts';
import { saveSessionUser } from './tabs.ts';

/**
 * Shows and stores the server's data of the signed-in user, which another tab or browser may have changed.
 * Does nothing when this tab has another user by now.
 */
export function refreshUser({ id, name, email, img }: User, { getState, dispatch }: Store): void {
  const shown = getState().user;
  if (!shown.isLogged || shown.id !== id || readSession()?.id !== id) return;
  if (shown.name === name && shown.email === email && (shown.img ?? '') === (img ?? '')) return;
  const user = { id, name, email, img };
  saveSessionUser(user);
  dispatch({ type: 'USER_CHANGED', user });
}
