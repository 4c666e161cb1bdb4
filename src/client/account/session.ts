import type { User } from '../../shared/accounts.ts';
import { sessionStore } from '../state/browser-storage.ts';

/** The signed-in user, or null for a guest. */
export function readSession(): User | null {
  const [id, name, email, img] = ['id', 'name', 'email', 'img'].map(sessionStore.get);
  if (sessionStore.get('isLogged') !== 'true' || !readToken() || !id) return null;
  return { id, name: name ?? '', email: email ?? '', img: img || null };
}

/** Only what the server may have given: other texts may not even go into a header. */
export function readToken(): string | null {
  return /^[\w-]{1,200}$/.exec(sessionStore.get('token') ?? '')?.[0] ?? null;
}

export function clearSession(): void {
  sessionStore.clear();
}

/** Tells the style sheet whether parts for a guest or for a user are to be seen. */
export function showSessionToStyles(isLogged: boolean): void {
  const root = document.documentElement.dataset;
  if (isLogged) root.session = 'user';
  else delete root.session;
}
