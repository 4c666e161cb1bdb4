import type { User } from '../../shared/accounts.ts';
import { sessionStore } from './browser-storage.ts';

/** The signed-in user, or null for a guest. */
export function readSession(): User | null {
  const [id, name, email, img] = ['id', 'name', 'email', 'img'].map(sessionStore.get);
  if (sessionStore.get('isLogged') !== 'true' || !readToken() || !id) return null;
  return { id, name: name ?? '', email: email ?? '', img: img || null };
}

/** What the server may have given: nothing else can even be sent in a header. */
const tokenPattern = /^[\w-]{1,200}$/;

export function readToken(): string | null {
  const token = sessionStore.get('token');
  return token !== null && tokenPattern.test(token) ? token : null;
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
