import type {
  AccountEdit,
  DeleteAccount,
  DeletionRequested,
  SessionList,
} from '../../shared/account-settings.ts';
import type { User } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Bin } from '../../shared/bin.ts';
import { json } from '../account/account-api.ts';
import { callAsUser } from '../account/account-call.ts';

/** Calls that only the settings page makes. */
export const settingsApi = {
  editAccount: (body: AccountEdit) =>
    callAsUser<User>(apiRoutes.me, { ...json('PATCH', body), has: 'id' }),

  listSessions: (signal?: AbortSignal) =>
    callAsUser<SessionList>(apiRoutes.sessions, { has: 'data', signal }),

  endSession: (id: string) => callAsUser<undefined>(apiRoutes.session(id), { method: 'DELETE' }),

  endOtherSessions: () => callAsUser<undefined>(apiRoutes.sessions, { method: 'DELETE' }),

  getBin: (signal?: AbortSignal) => callAsUser<Bin>(apiRoutes.bin, { has: 'data', signal }),

  deleteAccount: (body: DeleteAccount) =>
    callAsUser<DeletionRequested>(apiRoutes.me, { ...json('DELETE', body), has: 'receipt' }),

  restoreAccount: () => callAsUser<undefined>(apiRoutes.restoreMe, { method: 'POST' }),
};
