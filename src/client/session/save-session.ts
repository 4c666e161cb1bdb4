import type { SignedIn, User } from '../../shared/accounts.ts';
import type { Store } from '../state/store.ts';
import { sessionStore } from '../storage/browser-storage.ts';
import { readSession } from '../storage/session.ts';

/** Stores the session as specified: each field under its own session storage key. */
export function saveSession({ token, user }: SignedIn): void {
  saveSessionUser(user);
  sessionStore.set('isLogged', 'true');
  sessionStore.set('token', token);
}

function saveSessionUser({ id, name, email, img }: User): void {
  sessionStore.set('id', id);
  sessionStore.set('name', name);
  sessionStore.set('email', email);
  saveSessionImage(img);
}

export function saveSessionImage(img: string | null): void {
  sessionStore.set('img', img ?? '');
}

/**
 * Shows and stores the server's data of the signed-in user, which another tab or browser may have changed. Does
 * nothing when this tab has another user by now.
 */
export function refreshUser({ id, name, email, img }: User, { getState, dispatch }: Store): void {
  const shown = getState().user;
  if (!shown.isLogged || shown.id !== id || readSession()?.id !== id) return;
  if (shown.name === name && shown.email === email && (shown.img ?? '') === (img ?? '')) return;
  const user = { id, name, email, img };
  saveSessionUser(user);
  dispatch({ type: 'USER_CHANGED', user });
}
