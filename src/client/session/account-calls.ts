import type { RecoveryReminder } from '../../shared/account-settings.ts';
import type {
  PasswordSet,
  Profile,
  SetPassword,
  SignedIn,
  SignUp,
  UpdateImage,
  User,
} from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { PasskeyRequest } from '../../shared/passkeys.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineCall, defineUserCall } from '../api/call.ts';

interface Credentials {
  email: string;
  password: string;
  /** Whether the browser stays signed in. */
  isRemembered: boolean;
}

export const signIn = defineCall<Credentials, SignedIn>('POST', apiRoutes.signIn, {
  headers: ({ email, password }) => ({ authorization: basic(email, password) }),
  body: ({ isRemembered }) => (isRemembered ? { remember: true } : undefined),
});

/** The value of a Basic `Authorization` header, with the credentials in UTF-8. */
function basic(email: string, password: string): string {
  const bytes = new TextEncoder().encode(`${email}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

export const startPasskeySignIn = defineCall<void, PasskeyRequest>(
  'POST',
  apiRoutes.passkeySignInOptions,
);

export const signInByPasskey = defineCall<{ credential: object; isRemembered: boolean }, SignedIn>(
  'POST',
  apiRoutes.passkeySignIn,
  {
    body: ({ credential, isRemembered }) => ({
      credential,
      ...(isRemembered && { remember: true }),
    }),
  },
);

export const signUp = defineCall<SignUp, User>('POST', apiRoutes.signUp);

export const setPassword = defineCall<SetPassword, PasswordSet | undefined>(
  'POST',
  apiRoutes.setPassword,
);

export const getProfile = defineUserCall<void, Profile>('GET', apiRoutes.me);

export const updateImage = defineUserCall<UpdateImage, User>('PUT', apiRoutes.updateImage, {
  credentials: 'include',
});

/** Whether a user who has just signed in must be told of a password link, without the reminder of recovery codes. */
export const askSignInNews = defineUserCall<void, RecoveryReminder>(
  'POST',
  withQuery(apiRoutes.recoveryReminder, { codes: 'false' }),
);

export const takeRecoveryReminder = defineUserCall<void, RecoveryReminder>(
  'POST',
  apiRoutes.recoveryReminder,
);
