import type {
  AccountEdit,
  DeleteAccount,
  DeletionRequested,
  PasskeyInfo,
  PasskeyList,
  Recover,
  RecoveryCodes,
  RecoveryCodesLeft,
  SessionList,
} from '../../shared/account-settings.ts';
import type { User } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Bin } from '../../shared/bin.ts';
import type { PasskeyCreation } from '../../shared/passkeys.ts';
import { withQuery } from '../../shared/routes.ts';
import { defineCall } from '../api/call.ts';

export const editAccount = defineCall<AccountEdit, User>({
  method: 'PATCH',
  path: () => apiRoutes.me,
  body: (edit) => edit,
  has: 'id',
  needsSession: true,
});

export const deleteAccount = defineCall<DeleteAccount, DeletionRequested>({
  method: 'DELETE',
  path: () => apiRoutes.me,
  body: (deletion) => deletion,
  has: 'receipt',
  needsSession: true,
});

export const restoreAccount = defineCall<void, undefined>({
  method: 'POST',
  path: () => apiRoutes.restoreMe,
  needsSession: true,
});

export const listSessions = defineCall<void, SessionList>({
  path: () => apiRoutes.sessions,
  has: 'data',
  needsSession: true,
});

export const endSession = defineCall<string, undefined>({
  method: 'DELETE',
  path: apiRoutes.session,
  needsSession: true,
});

export const endOtherSessions = defineCall<void, undefined>({
  method: 'DELETE',
  path: () => apiRoutes.sessions,
  needsSession: true,
});

export const countRecoveryCodes = defineCall<void, RecoveryCodesLeft>({
  path: () => apiRoutes.recoveryCodes,
  has: 'left',
  needsSession: true,
});

export const createRecoveryCodes = defineCall<{ currentPassword: string }, RecoveryCodes>({
  method: 'POST',
  path: () => apiRoutes.recoveryCodes,
  body: (password) => password,
  has: 'codes',
  needsSession: true,
});

export const recover = defineCall<Recover, undefined>({
  method: 'POST',
  path: () => apiRoutes.recover,
  body: (code) => code,
});

export const listPasskeys = defineCall<void, PasskeyList>({
  path: () => apiRoutes.passkeys,
  has: 'data',
  needsSession: true,
});

export const startPasskey = defineCall<{ currentPassword: string }, PasskeyCreation>({
  method: 'POST',
  path: () => apiRoutes.passkeyOptions,
  body: (password) => password,
  has: 'challenge',
  needsSession: true,
});

/** `credential` is the `toJSON` of the one that the browser made. */
export const addPasskey = defineCall<{ name: string; credential: object }, PasskeyInfo>({
  method: 'POST',
  path: () => apiRoutes.passkeys,
  body: (passkey) => passkey,
  has: 'id',
  needsSession: true,
});

export const deletePasskey = defineCall<string, undefined>({
  method: 'DELETE',
  path: apiRoutes.passkey,
  needsSession: true,
});

/** The page of the bin after the `next` of the page before. */
export const listBin = defineCall<string | null, Bin>({
  path: (after) => withQuery(apiRoutes.bin, { after }),
  has: 'data',
  needsSession: true,
});
