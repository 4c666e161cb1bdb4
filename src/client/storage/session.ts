import type { User } from '../../shared/accounts.ts';
import { localStore, sessionStore } from './browser-storage.ts';

/** The signed-in user, or null for a guest. */
export function readSession(): User | null {
  const [id, name, email, img] = ['id', 'name', 'email', 'img'].map(sessionStore.get);
  if (sessionStore.get('isLogged') !== 'true' || !readToken() || !id) return null;
  return { id, name: name ?? '', email: email ?? '', img: img || null };
}

/** The session's token, or null when session storage has none that could be sent in a header. */
export function readToken(): string | null {
  return /^[\w-]{1,200}$/.exec(sessionStore.get('token') ?? '')?.[0] ?? null;
}

/** The token of this tab's session; for a guest '', which the server rejects. */
export const currentToken = () => readToken() ?? '';

/** Id of this tab's user, or '' for a guest. */
export const currentUserId = () => sessionStore.get('id') ?? '';

export const clearSession = () => sessionStore.clear();

/** Also read by before-paint.ts. */
const rememberedKey = 'remembered';

/** Id of the account that this browser stays signed in to, or null. The secret itself is in a cookie. */
export const readRemembered = () => localStore.get(rememberedKey);
export const setRemembered = (accountId: string) => localStore.set(rememberedKey, accountId);
export const discardRemembered = () => localStore.remove(rememberedKey);

/** Also read by before-paint.ts. */
const leavingKey = 'leaving';

/**
 * Notes in local storage that somebody is signing out of this browser, until the server has confirmed it or another
 * person signs in. A page that is loaded meanwhile ends what the browser's cookies open (before-paint.ts).
 */
export const markSigningOut = () => localStore.set(leavingKey, 'true');
export const unmarkSigningOut = () => localStore.remove(leavingKey);

/**
 * Sets `data-session` on the root, by which the style sheets hide `data-for="guest"` or `"user"`. For a guest,
 * leaves `resuming`, which before-paint.ts sets and `endResuming` removes.
 */
export function showSessionToStyles(isLogged: boolean): void {
  const root = document.documentElement.dataset;
  if (isLogged) root.session = 'user';
  else if (root.session === 'user') delete root.session;
}
