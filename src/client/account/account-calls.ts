import type { RecoveryReminder } from '../../shared/account-settings.ts';
import type {
  Profile,
  SetPassword,
  SignedIn,
  SignUp,
  UpdateImage,
  User,
} from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { PasskeyRequest } from '../../shared/passkeys.ts';
import type { News, ReadingPosition } from '../../shared/people.ts';
import { defineCall } from '../api/call.ts';

interface Credentials {
  email: string;
  password: string;
  /** Whether the browser stays signed in. */
  isRemembered: boolean;
}

export const signIn = defineCall<Credentials, SignedIn>({
  method: 'POST',
  path: () => apiRoutes.signIn,
  headers: ({ email, password }) => ({ authorization: basic(email, password) }),
  body: ({ isRemembered }) => (isRemembered ? { remember: true } : undefined),
  has: 'token',
});

/** The value of a Basic `Authorization` header, with the credentials in UTF-8. */
function basic(email: string, password: string): string {
  const bytes = new TextEncoder().encode(`${email}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

export const startPasskeySignIn = defineCall<void, PasskeyRequest>({
  method: 'POST',
  path: () => apiRoutes.passkeySignInOptions,
  has: 'challenge',
});

export const signInByPasskey = defineCall<{ credential: object; isRemembered: boolean }, SignedIn>({
  method: 'POST',
  path: () => apiRoutes.passkeySignIn,
  body: ({ credential, isRemembered }) => ({ credential, ...(isRemembered && { remember: true }) }),
  has: 'token',
});

export const signUp = defineCall<SignUp, User>({
  method: 'POST',
  path: () => apiRoutes.signUp,
  body: (account) => account,
  has: 'id',
});

export const setPassword = defineCall<SetPassword, undefined>({
  method: 'POST',
  path: () => apiRoutes.setPassword,
  body: (password) => password,
});

export const getProfile = defineCall<void, Profile>({
  path: () => apiRoutes.me,
  has: 'channelCount',
  needsSession: true,
});

export const updateImage = defineCall<UpdateImage, User>({
  method: 'PUT',
  path: () => apiRoutes.updateImage,
  body: (image) => image,
  has: 'id',
  needsSession: true,
  credentials: 'include',
});

export const takeRecoveryReminder = defineCall<void, RecoveryReminder>({
  method: 'POST',
  path: () => apiRoutes.recoveryReminder,
  has: 'isDue',
  needsSession: true,
});

/** How far the account has read these channels, and how much of each is new. */
export const listNews = defineCall<string[], News>({
  // The ids need no encoding, and commas stay readable.
  path: (channelIds) => `${apiRoutes.news}?channels=${channelIds.join()}`,
  has: 'reads',
  needsSession: true,
});

export const sendPositions = defineCall<ReadingPosition[], undefined>({
  method: 'PUT',
  path: () => apiRoutes.reads,
  body: (positions) => positions,
  needsSession: true,
  keepalive: true,
});
