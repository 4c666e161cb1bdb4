import type { SignedIn, User } from '../../shared/accounts.ts';
import { sessionStore } from '../storage/browser-storage.ts';

/** Stores the session as specified: each field under its own session storage key. */
export function saveSession({ token, user }: SignedIn): void {
  saveSessionUser(user);
  sessionStore.set('isLogged', 'true');
  sessionStore.set('token', token);
}

export function saveSessionUser(user: User): void {
  sessionStore.set('id', user.id);
  sessionStore.set('name', user.name);
  sessionStore.set('email', user.email);
  saveSessionImage(user.img);
}

export function saveSessionImage(img: string | null): void {
  sessionStore.set('img', img ?? '');
}
