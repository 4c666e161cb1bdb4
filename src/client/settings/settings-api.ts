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
import { call } from '../api/api.ts';
import { json } from '../session/account-api.ts';
import { callAsUser } from '../session/account-call.ts';

/** Calls that only the settings page makes. */
export const settingsApi = {
  editAccount: (body: AccountEdit) =>
    callAsUser<User>(apiRoutes.me, { ...json('PATCH', body), has: 'id' }),

  listSessions: (signal?: AbortSignal) =>
    callAsUser<SessionList>(apiRoutes.sessions, { has: 'data', signal }),

  endSession: (id: string) => callAsUser<undefined>(apiRoutes.session(id), { method: 'DELETE' }),

  endOtherSessions: () => callAsUser<undefined>(apiRoutes.sessions, { method: 'DELETE' }),

  countRecoveryCodes: (signal?: AbortSignal) =>
    callAsUser<RecoveryCodesLeft>(apiRoutes.recoveryCodes, { has: 'left', signal }),

  createRecoveryCodes: (currentPassword: string) =>
    callAsUser<RecoveryCodes>(apiRoutes.recoveryCodes, {
      ...json('POST', { currentPassword }),
      has: 'codes',
    }),

  recover: (body: Recover) => call<undefined>(apiRoutes.recover, json('POST', body)),

  listPasskeys: (signal?: AbortSignal) =>
    callAsUser<PasskeyList>(apiRoutes.passkeys, { has: 'data', signal }),

  startPasskey: (currentPassword: string) =>
    callAsUser<PasskeyCreation>(apiRoutes.passkeyOptions, {
      ...json('POST', { currentPassword }),
      has: 'challenge',
    }),

  /** @param body.credential `toJSON` of what the browser made */
  addPasskey: (body: { name: string; credential: object }) =>
    callAsUser<PasskeyInfo>(apiRoutes.passkeys, { ...json('POST', body), has: 'id' }),

  deletePasskey: (id: string) => callAsUser<undefined>(apiRoutes.passkey(id), { method: 'DELETE' }),

  /** @param after `next` of the page before */
  getBin: (after?: string | null, signal?: AbortSignal) =>
    callAsUser<Bin>(withQuery(apiRoutes.bin, { after }), { has: 'data', signal }),

  deleteAccount: (body: DeleteAccount) =>
    callAsUser<DeletionRequested>(apiRoutes.me, { ...json('DELETE', body), has: 'receipt' }),

  restoreAccount: () => callAsUser<undefined>(apiRoutes.restoreMe, { method: 'POST' }),
};
